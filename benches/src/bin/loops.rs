//! Runs one hot loop on one thread: `loops NAME`. Called under valgrind by `cargo xtask instructions`.

use ndarray::Array2;
use protodash::{
    Gaussian, InverseMultiquadric, Laplacian, Method, Params, Precision, Unobserved, kernel_mean_in, represent, select,
};

/// Pseudorandom rows with a fixed seed.
fn rows<T>(n_rows: usize, n_columns: usize, of: impl Fn(f64) -> T) -> Array2<T> {
    let mut state = 1_u64;
    Array2::from_shape_simple_fn((n_rows, n_columns), || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        of((state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5)
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global()?;
    let (single, double) = (rows(1000, 50, |value| value as f32), rows(1000, 50, |value| value));
    let (gaussian, laplacian, multiquadric) =
        (Gaussian::new(3.0)?, Laplacian::new(20.0)?, InverseMultiquadric::new(3.0)?);
    let mut params = Params::new(50);
    match std::env::args().nth(1).as_deref() {
        Some("nothing") => {}
        Some("mean_gaussian_f32") => drop(kernel_mean_in(Precision::Single, &single, &single, &gaussian)?),
        Some("mean_gaussian_f64") => drop(kernel_mean_in(Precision::Double, &double, &double, &gaussian)?),
        Some("mean_laplacian_f32") => drop(kernel_mean_in(Precision::Single, &single, &single, &laplacian)?),
        Some("mean_inverse_multiquadric_f32") => {
            drop(kernel_mean_in(Precision::Single, &single, &single, &multiquadric)?);
        }
        Some("mean_inverse_multiquadric_f64") => {
            drop(kernel_mean_in(Precision::Double, &double, &double, &multiquadric)?);
        }
        Some("protodash_f32") => drop(select(&single, &single, &gaussian, &params)?),
        Some("protogreedy_f64") => {
            params.method = Method::ProtoGreedy;
            drop(select(&double, &double, &gaussian, &params)?);
        }
        Some("columns_dropped_f64") => {
            params.column_memory = 0;
            params.n_prototypes = Some(20);
            drop(select(&double, &double, &gaussian, &params)?);
        }
        Some("all_narrow_f64") => {
            let few = rows(200, 5, |value| value);
            params.n_prototypes = None;
            drop(select(&few, &few, &Gaussian::new(0.05)?, &params)?);
        }
        Some("represent_f32") => {
            let prototype = |source_index| protodash::Prototype { source_index, weight: 1.0, share: 0.02, gain: 0.0 };
            let prototypes: Vec<_> = (0..50).map(prototype).collect();
            drop(represent(&single, &single, &prototypes, &gaussian, &mut Unobserved)?);
        }
        other => return Err(format!("unknown loop {other:?}").into()),
    }
    Ok(())
}
