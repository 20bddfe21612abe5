//! Workers in processes of their own, which are killed.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

use protodash::cluster::{self, ShardServer, Transport};
use protodash::{Method, Unobserved};

use crate::case::{Case, Failure, TestScalar, assert_same};

/// Names the rows, the type and the problem of a worker process.
const WORKER: &str = "PROTODASH_TEST_WORKER";
/// The line after which a worker process writes nothing but replies.
const READY: &str = "ready for messages";

const CASES: [Case; 3] = [
    Case::SMALL,
    Case { method: Method::ProtoGreedy, ..Case::SMALL },
    Case { n_target: Some(60), n_prototypes: 16, ..Case::SMALL },
];

/// Not a test: the worker process, if it is started as one.
#[test]
fn worker_process() {
    let Ok(worker) = std::env::var(WORKER) else { return };
    let numbers: Vec<usize> = worker.split(' ').map(|number| number.parse().unwrap()).collect();
    let [value_size, case, worker, n_workers] = numbers[..] else { panic!("{worker}") };
    if value_size == 4 {
        serve::<f32>(&CASES[case], worker, n_workers)
    } else {
        serve::<f64>(&CASES[case], worker, n_workers)
    }
}

fn serve<T: TestScalar>(case: &Case, worker: usize, n_workers: usize) {
    case.with::<T, _>(|prepared, params| {
        let server = ShardServer::new(prepared, case.part(worker, n_workers), params).unwrap();
        let (mut input, mut output) = (std::io::stdin(), std::io::stdout());
        output.write_all(format!("\n{READY}\n").as_bytes()).unwrap();
        output.flush().unwrap();
        while let Ok(message) = read_frame(&mut input) {
            write_frame(&mut output, &server.handle(&message)).unwrap();
        }
    });
}

fn write_frame(to: &mut impl Write, message: &[u8]) -> std::io::Result<()> {
    to.write_all(&(message.len() as u32).to_le_bytes())?;
    to.write_all(message)?;
    to.flush()
}

fn read_frame(from: &mut impl Read) -> std::io::Result<Vec<u8>> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let mut message = vec![0; u32::from_le_bytes(length) as usize];
    from.read_exact(&mut message)?;
    Ok(message)
}

/// A running worker process.
struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Process {
    fn start(worker: &str) -> Process {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "pipes::worker_process", "--nocapture"])
            .env(WORKER, worker)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, mut output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut line = String::new();
        while line.trim_end() != READY {
            line.clear();
            assert!(output.read_line(&mut line).unwrap() > 0, "the worker process ended");
        }
        Process { child, input, output }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // SIGKILL on Unix: the process cannot say goodbye.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kill {
    Before,
    /// Right after the message is sent, whatever the process is doing then.
    During,
    After,
}

/// A worker process that is started again when it is killed.
struct PipeTransport {
    worker: String,
    state: Mutex<PipeState>,
}

struct PipeState {
    process: Process,
    /// Messages so far.
    n_messages: usize,
    /// Kills to come, each at a message.
    kills: Vec<(usize, Kill)>,
}

impl Transport for PipeTransport {
    fn exchange(&self, message: &[u8]) -> Result<Vec<u8>, Failure> {
        let PipeState { process, n_messages, kills } = &mut *self.state.lock().unwrap();
        let kill = kills.iter().position(|(at, _)| at == n_messages).map(|place| kills.remove(place).1);
        *n_messages += 1;
        match kill {
            Some(Kill::Before) => *process = Process::start(&self.worker),
            Some(Kill::During) => {
                write_frame(&mut process.input, message)?;
                *process = Process::start(&self.worker);
            }
            Some(Kill::After) => {
                write_frame(&mut process.input, message)?;
                read_frame(&mut process.output)?;
                *process = Process::start(&self.worker);
            }
            None => {}
        }
        write_frame(&mut process.input, message)?;
        Ok(read_frame(&mut process.output)?)
    }
}

/// The selection of two worker processes with these kills: worker, message, when.
fn run<T: TestScalar>(case: usize, kills: &[(usize, usize, Kill)]) -> (protodash::Selection, usize) {
    let transport = |worker: usize| {
        let kills = kills.iter().filter(|kill| kill.0 == worker).map(|(_, at, when)| (*at, *when)).collect();
        let worker = format!("{} {case} {worker} 2", size_of::<T>());
        let state = PipeState { process: Process::start(&worker), n_messages: 0, kills };
        PipeTransport { state: Mutex::new(state), worker }
    };
    let transports = [transport(0), transport(1)];
    let workers: [&dyn Transport; 2] = [&transports[0], &transports[1]];
    let found = CASES[case]
        .with::<T, _>(|prepared, params| cluster::select(prepared, &workers, params, &mut Unobserved))
        .unwrap();
    let states = transports.iter().map(|transport| transport.state.lock().unwrap());
    let n_messages = states.map(|state| {
        assert!(state.kills.is_empty(), "no message met these kills: {:?}", state.kills);
        state.n_messages
    });
    // Of the worker with fewer messages, so that both can be killed at each.
    (found, n_messages.min().unwrap())
}

fn check_kills<T: TestScalar>(case: usize) {
    let alone = CASES[case].alone::<T>();
    let (found, n_messages) = run::<T>(case, &[]);
    assert_same(&found, &alone, "no kills");
    for at in 0..n_messages {
        // Every message meets every kind of kill; both workers are killed at once.
        let kills = [Kill::Before, Kill::During, Kill::After].map(|kill| (at % 2, at, kill));
        for kill in kills {
            let other = (1 - kill.0, (at + 3) % n_messages, Kill::During);
            let (found, _) = run::<T>(case, &[kill, other]);
            assert_same(&found, &alone, &format!("case {case}: {kill:?} and {other:?}"));
        }
    }
}

#[test]
fn processes_killed_at_any_message_change_nothing() {
    check_kills::<f32>(0);
    check_kills::<f64>(1);
}

#[test]
fn eight_kills_in_one_run_change_nothing() {
    // Also while orders are repeated, and twice in a row.
    let kills = [(0, 3, 0), (1, 5, 1), (0, 7, 2), (0, 8, 0), (1, 9, 1), (1, 10, 1), (0, 20, 2), (1, 22, 0)];
    let kills = kills.map(|(worker, at, when)| (worker, at, [Kill::Before, Kill::During, Kill::After][when]));
    assert_same(&run::<f32>(2, &kills).0, &CASES[2].alone::<f32>(), "eight kills");
}
