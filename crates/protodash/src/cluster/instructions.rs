//! The vector instructions that workers have in common.

use crate::choice::Choice;
use crate::simd::InstructionSet;

/// A level of vector instructions. The last bits of kernel values depend on it.
///
/// # Examples
///
/// ```
/// use protodash::Choice;
/// use protodash::cluster::Instructions;
///
/// // Workers on different machines agree on the lowest level.
/// let of_workers = ["avx512", "portable", "avx2"].map(|name| Instructions::from_name(name).unwrap());
/// assert_eq!(of_workers.into_iter().min().unwrap().name(), "portable");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Instructions {
    /// None beyond those of every CPU of the architecture.
    Portable,
    /// AVX2 and FMA.
    Avx2,
    /// AVX-512 F and DQ.
    Avx512,
}

impl Choice for Instructions {
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Instructions::Portable, "portable", "every CPU"),
        (Instructions::Avx2, "avx2", "AVX2 and FMA"),
        (Instructions::Avx512, "avx512", "AVX-512 F and DQ"),
    ];
}

impl Instructions {
    /// The level that this process uses: the best of its CPU, unless it was limited.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::cluster::Instructions;
    ///
    /// assert!(Instructions::used() >= Instructions::Portable);
    /// ```
    pub fn used() -> Self {
        match InstructionSet::best() {
            InstructionSet::Portable => Instructions::Portable,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => Instructions::Avx2,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => Instructions::Avx512,
        }
    }
}

/// Limits this process to a level of vector instructions, so that its results have the bits of all others with that level.
///
/// Call this before any computation: means that are already computed stay as they are. It is the one setting of the core that
/// is not a parameter, since every loop depends on it.
///
/// # Examples
///
/// ```
/// use protodash::cluster::{Instructions, limit_instructions};
///
/// limit_instructions(Instructions::Portable);
/// assert_eq!(Instructions::used(), Instructions::Portable);
/// ```
pub fn limit_instructions(level: Instructions) {
    match level {
        Instructions::Portable => InstructionSet::Portable.limit(),
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => InstructionSet::Avx2.limit(),
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512 => InstructionSet::Avx512.limit(),
        // Other architectures have one level.
        #[cfg(not(target_arch = "x86_64"))]
        _ => {}
    }
}
