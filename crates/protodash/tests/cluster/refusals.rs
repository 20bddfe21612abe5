//! What leader and workers refuse, and what they say.

use protodash::cluster::{self, ClusterError, LedPath, ShardServer, Transport};
use protodash::{Error, Method, Params, Unobserved, Weights};

use crate::case::{Case, Failure, TestKernel};

/// The error of workers with these rows.
fn error_of(parts: &[std::ops::Range<usize>]) -> Error {
    Case::SMALL.with::<f64, _>(|prepared, params| {
        let servers: Vec<_> =
            parts.iter().map(|part| ShardServer::new(prepared, part.clone(), params).unwrap()).collect();
        let workers: Vec<&dyn Transport> = servers.iter().map(|server| server as &dyn Transport).collect();
        cluster::select(prepared, &workers, params, &mut Unobserved).unwrap_err()
    })
}

#[test]
fn workers_must_have_all_rows_in_order() {
    assert_eq!(error_of(&[]), Error::Cluster(ClusterError::NoWorkers));
    let error = error_of(&[0..30, 30..80]).to_string();
    assert_eq!(error, "the workers have the first 80 of 90 source rows; every row needs one");
    for (parts, what) in [([30..90, 0..30], "30 as its first source row; expected: 0"), ([0..50, 40..90], "40 as")] {
        let error = error_of(&parts).to_string();
        assert!(error.contains(what), "{error}");
    }
}

#[test]
fn workers_must_have_the_same_data() {
    let run = |first: Case, second: Case| {
        first.with::<f64, _>(|prepared, params| {
            let server = ShardServer::new(prepared, 0..40, params).unwrap();
            second.with::<f64, _>(|theirs, their_params| {
                let other = ShardServer::new(theirs, 40..90, their_params).unwrap();
                cluster::select(prepared, &[&server, &other], params, &mut Unobserved)
            })
        })
    };
    assert!(run(Case::SMALL, Case::SMALL).is_ok());
    let error = run(Case::SMALL, Case { n_target: Some(50), ..Case::SMALL }).unwrap_err().to_string();
    assert!(error.contains("reports 50 as its number of target rows; expected: 90"), "{error}");
    let error = run(Case::SMALL, Case { n_source: 91, ..Case::SMALL }).unwrap_err().to_string();
    assert!(error.contains("91 as its number of source rows"), "{error}");
    let error = run(Case::SMALL, Case { kernel: TestKernel::Multiquadric, ..Case::SMALL }).unwrap_err();
    assert!(matches!(error, Error::OtherWorker { worker: 1, .. }), "{error}");
    assert!(error.to_string().contains("hash of data, kernel and parameters"), "{error}");
    // Values of another type.
    let error = Case::SMALL.with::<f32, _>(|theirs, their_params| {
        let server = ShardServer::new(theirs, 0..90, their_params).unwrap();
        Case::SMALL.with::<f64, _>(|prepared, params| cluster::select(prepared, &[&server], params, &mut Unobserved))
    });
    assert!(matches!(error, Err(Error::NoGreeting { worker: 0, .. })), "{error:?}");
}

#[test]
fn a_path_belongs_to_the_data_that_it_was_found_in() {
    let led = Case::SMALL.with::<f64, _>(|prepared, params| {
        let server = ShardServer::new(prepared, 0..90, params).unwrap();
        cluster::lead(&[&server], &*Case::SMALL.kernel::<f64>(), params, &mut Unobserved).unwrap()
    });
    let read = LedPath::from_bytes(&led.to_bytes()).unwrap();
    assert_eq!(read, led);
    for length in 0..led.to_bytes().len() {
        assert!(LedPath::from_bytes(&led.to_bytes()[..length]).is_err());
    }
    let finish =
        |case: Case| case.with::<f64, _>(|prepared, params| cluster::finish(prepared, &read, params, &mut Unobserved));
    assert_eq!(finish(Case::SMALL).unwrap(), Case::SMALL.alone::<f64>());
    for other in [Case { n_target: Some(50), ..Case::SMALL }, Case { n_source: 80, ..Case::SMALL }] {
        assert!(matches!(finish(other), Err(Error::Cluster(ClusterError::OtherPath { .. }))));
    }
}

#[test]
fn methods_that_cannot_be_divided_are_refused_before_anything_starts() {
    Case::SMALL.with::<f64, _>(|prepared, _| {
        let mut params = Params::new(3);
        for (method, name) in [(Method::Swap, "swap"), (Method::KMedoids, "k-medoids"), (Method::L2c, "l2c")] {
            params.method = method;
            let error = cluster::select(prepared, &[], &params, &mut Unobserved).unwrap_err();
            assert_eq!(error.to_string(), format!("{name} cannot run on workers; protodash and protogreedy can"));
            assert_eq!(ShardServer::new(prepared, 0..90, &params).err(), Some(error));
        }
        let error = ShardServer::new(prepared, 80..91, &Params::new(3)).err().unwrap();
        assert!(error.to_string().contains("80..91"), "{error}");
        assert!(ShardServer::new(prepared, 5..5, &Params::new(3)).is_err());
        assert!(matches!(ShardServer::new(prepared, 0..9, &Params::new(91)), Err(Error::TooManyPrototypes { .. })));
    });
    // Rows far from the origin under the linear kernel, with weights that sum to 1.
    let rows = ndarray::Array2::from_shape_fn((20, 2), |(row, column)| 1e6 + ((row * 7 + column) % 11) as f64);
    let mut params = Params::new(3);
    params.weights = Weights::Convex;
    let prepared = cluster::prepare(&rows, &rows, &protodash::Linear, &params, &mut Unobserved).unwrap();
    let server = ShardServer::new(&prepared, 0..20, &params).unwrap();
    let error = cluster::select(&prepared, &[&server], &params, &mut Unobserved).unwrap_err();
    assert_eq!(error, Error::Cluster(ClusterError::Centred));
}

/// Works for some messages, then replies with something else.
struct Broken<'s>(ShardServer<'s, f64>, std::sync::atomic::AtomicUsize, fn(Vec<u8>) -> Result<Vec<u8>, Failure>);

impl Transport for Broken<'_> {
    fn exchange(&self, message: &[u8]) -> Result<Vec<u8>, Failure> {
        let reply = self.0.handle(message);
        if self.1.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < 6 { Ok(reply) } else { (self.2)(reply) }
    }
}

#[test]
fn a_worker_that_fails_is_named() {
    let error_of = |reply: fn(Vec<u8>) -> Result<Vec<u8>, Failure>| {
        Case::SMALL.with::<f64, _>(|prepared, params| {
            let works = ShardServer::new(prepared, 0..40, params).unwrap();
            let fails = ShardServer::new(prepared, 40..90, params).unwrap();
            let fails = Broken(fails, 0.into(), reply);
            cluster::select(prepared, &[&works, &fails], params, &mut Unobserved).unwrap_err().to_string()
        })
    };
    let named = "the worker of source rows 40 to 89 failed: ";
    assert_eq!(error_of(|_| Err("no node within 60 s".into())), format!("{named}no node within 60 s"));
    assert_eq!(
        error_of(|_| Ok(Vec::new())),
        format!("{named}cannot read a message between leader and worker at byte 0: the message ends too early")
    );
    // "Done" to everything: the right answer to some messages, but not to the next.
    assert_eq!(error_of(|_| Ok(b"pd\x02\x08\x01\0\0".to_vec())), format!("{named}unexpected reply type"));
    assert_eq!(error_of(|_| Ok(b"pd\x02\x08\x01\x01\x63".to_vec())), format!("{named}it misses order 99 of 3"));
}
