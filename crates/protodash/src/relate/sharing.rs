//! Which tables share which keys, as groups of keys that occur in the same tables.

use std::collections::{BTreeMap, HashMap};

/// Keys that occur in the same tables.
#[derive(Debug)]
struct KeyGroup {
    /// The tables, ascending.
    tables: Vec<usize>,
}

/// All groups, ordered by their smallest keys, which does not depend on the order of the tables.
#[derive(Debug)]
pub(super) struct Sharing {
    groups: Vec<KeyGroup>,
    group_of_key: HashMap<usize, usize>,
    n_tables: usize,
}

impl Sharing {
    /// The groups of the keys of all tables.
    pub(super) fn new(keys: &[&[usize]]) -> Sharing {
        let mut tables_of_key: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (table, keys) in keys.iter().enumerate() {
            keys.iter().for_each(|key| tables_of_key.entry(*key).or_default().push(table));
        }
        let mut groups: Vec<KeyGroup> = Vec::new();
        let mut known: HashMap<Vec<usize>, usize> = HashMap::new();
        let mut group_of_key = HashMap::with_capacity(tables_of_key.len());
        for (key, tables) in tables_of_key {
            let group = *known.entry(tables).or_insert_with_key(|tables| {
                groups.push(KeyGroup { tables: tables.clone() });
                groups.len() - 1
            });
            group_of_key.insert(key, group);
        }
        Sharing { groups, group_of_key, n_tables: keys.len() }
    }

    /// The group of a key.
    pub(super) fn group(&self, key: usize) -> usize {
        self.group_of_key[&key]
    }

    /// The groups of a table's keys, ascending.
    pub(super) fn of(&self, table: usize) -> Vec<usize> {
        self.with(|group| group.tables.contains(&table))
    }

    /// The groups of the keys that two tables share, ascending.
    pub(super) fn shared(&self, one: usize, other: usize) -> Vec<usize> {
        self.with(|group| group.tables.contains(&one) && group.tables.contains(&other))
    }

    /// The tables that share a key with this one, ascending.
    pub(super) fn partners(&self, table: usize) -> Vec<usize> {
        let shares = |other: &usize| *other != table && !self.shared(table, *other).is_empty();
        (0..self.n_tables).filter(shares).collect()
    }

    fn with(&self, wanted: impl Fn(&KeyGroup) -> bool) -> Vec<usize> {
        (0..self.groups.len()).filter(|group| wanted(&self.groups[*group])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_the_same_tables_are_one_group() {
        let sharing = Sharing::new(&[&[1, 2, 3, 4], &[3, 4, 5], &[9]]);
        let groups: Vec<usize> = [1, 2, 3, 4, 5, 9].iter().map(|key| sharing.group(*key)).collect();
        assert_eq!(groups, [0, 0, 1, 1, 2, 3]);
        assert_eq!((sharing.of(0), sharing.of(1)), (vec![0, 1], vec![1, 2]));
        assert_eq!((sharing.shared(0, 1), sharing.shared(0, 2)), (vec![1], vec![]));
        assert_eq!((sharing.partners(0), sharing.partners(2)), (vec![1], vec![]));
    }

    #[test]
    fn the_order_of_groups_is_that_of_their_keys() {
        let (a, b): (&[usize], &[usize]) = (&[4, 1], &[1, 2]);
        let (one, other) = (Sharing::new(&[a, b]), Sharing::new(&[b, a]));
        assert!([1, 2, 4].iter().all(|key| one.group(*key) == other.group(*key)));
    }
}
