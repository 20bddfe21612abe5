//! Loops shared by the threads of the current pool, with results in the order of the loop.
//!
//! All of them go through [`for_each_task`], which is compiled once. `rayon`'s own iterators are compiled anew for every
//! closure and every kind of row: they were a third of this crate's code before optimisation.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

/// Tasks for each thread: enough that a slow one at the end does not leave the other threads idle.
const TASKS_PER_THREAD: usize = 32;

/// The value for each number in the range.
pub(crate) fn map<R: Send>(range: Range<usize>, value: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let per_task = per_task(range.len());
    let starts: Vec<usize> = range.clone().step_by(per_task).collect();
    map_tasks(starts, &|start| (start..range.end.min(start + per_task)).map(&value).collect())
}

/// The value for each item, which it may change.
pub(crate) fn map_mut<T: Send, R: Send>(items: &mut [T], value: impl Fn(&mut T) -> R + Sync) -> Vec<R> {
    let per_task = per_task(items.len());
    map_tasks(items.chunks_mut(per_task).collect(), &|items: &mut [T]| items.iter_mut().map(&value).collect())
}

/// The value for each chunk of this size, the last of which may be shorter; `value` gets the chunk's number first.
pub(crate) fn map_chunks<T: Send, R: Send>(
    values: &mut [T],
    size: usize,
    value: impl Fn(usize, &mut [T]) -> R + Sync,
) -> Vec<R> {
    let per_task = per_task(values.len().div_ceil(size));
    let tasks = values.chunks_mut(size * per_task).enumerate().collect();
    map_tasks(tasks, &|(task, values): (usize, &mut [T])| {
        (task * per_task..).zip(values.chunks_mut(size)).map(|(chunk, values)| value(chunk, values)).collect()
    })
}

/// The first number below `n` for which `is_found` holds. Later ones may not be looked at.
pub(crate) fn first(n: usize, is_found: &(dyn Fn(usize) -> bool + Sync)) -> Option<usize> {
    (0..n).into_par_iter().find_first(|number| is_found(*number))
}

/// How many of `n` steps of a loop are one task.
fn per_task(n: usize) -> usize {
    n.div_ceil(TASKS_PER_THREAD * rayon::current_num_threads()).max(1)
}

/// The values of all tasks, in their order.
fn map_tasks<I: Send, R: Send>(inputs: Vec<I>, values: &(dyn Fn(I) -> Vec<R> + Sync)) -> Vec<R> {
    let tasks: Vec<Mutex<(Option<I>, Vec<R>)>> =
        inputs.into_iter().map(|input| Mutex::new((Some(input), Vec::new()))).collect();
    for_each_task(tasks.len(), &|task| {
        // Not locked while the task runs, which may run others on the same thread.
        let input = locked(&tasks[task]).0.take();
        let found = input.map(values).unwrap_or_default();
        locked(&tasks[task]).1 = found;
    });
    let mut found = tasks.into_iter().map(|task| task.into_inner().unwrap_or_else(PoisonError::into_inner).1);
    let mut all = found.next().unwrap_or_default();
    let rest: Vec<Vec<R>> = found.collect();
    all.reserve_exact(rest.iter().map(Vec::len).sum());
    rest.into_iter().for_each(|mut values| all.append(&mut values));
    all
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn for_each_task(n_tasks: usize, task: &(dyn Fn(usize) + Sync)) {
    (0..n_tasks).into_par_iter().with_max_len(1).for_each(task);
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Runs a check in pools of one and of several threads.
    fn in_pools(check: impl Fn() + Sync) {
        for n_threads in [1, 3] {
            rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap().install(&check);
        }
    }

    #[test]
    fn values_are_in_the_order_of_the_loop() {
        in_pools(|| {
            for n in [0, 1, 2, 95, 96, 97, 1000] {
                assert_eq!(map(5..5 + n, |number| number * number), (5..5 + n).map(|x| x * x).collect::<Vec<_>>());
                let mut items: Vec<usize> = (0..n).collect();
                let before = map_mut(&mut items, |item| std::mem::replace(item, *item + 1));
                assert_eq!((before, items), ((0..n).collect(), (1..=n).collect()), "{n}");
            }
        });
    }

    #[test]
    fn chunks_have_their_size_and_number() {
        in_pools(|| {
            for (n, size) in [(0, 4), (1, 4), (4, 4), (9, 4), (1000, 1), (1000, 3), (1000, 64), (5, 1000)] {
                let mut values = vec![usize::MAX; n];
                let sizes = map_chunks(&mut values, size, |chunk, values| {
                    values.fill(chunk);
                    values.len()
                });
                assert_eq!(values, (0..n).map(|place| place / size).collect::<Vec<_>>(), "{n} {size}");
                assert_eq!(sizes, vec![0; n].chunks(size).map(<[usize]>::len).collect::<Vec<_>>(), "{n} {size}");
            }
        });
    }

    #[test]
    fn every_step_runs_once_even_inside_another_loop() {
        in_pools(|| {
            let count = AtomicUsize::new(0);
            let sums = map(0..70, |outer| map(0..outer, |_| count.fetch_add(1, Ordering::Relaxed)).len());
            assert_eq!(sums, (0..70).collect::<Vec<_>>());
            assert_eq!(count.load(Ordering::Relaxed), 70 * 69 / 2);
        });
    }

    #[test]
    fn the_first_of_several_is_found() {
        in_pools(|| {
            assert_eq!(first(10_000, &|number| number % 1000 == 999), Some(999));
            assert_eq!(first(10_000, &|_| false), None);
            assert_eq!(first(0, &|_| true), None);
        });
    }
}
