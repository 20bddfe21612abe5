//! The kernel in the format: a name, and the parameters that the kernel of that name has.

use protodash::Form;
use serde::{Deserialize, Serialize};

use super::CrossValidation;
use crate::args::KernelName;

/// A kernel with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Kernel {
    pub(crate) name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) bandwidth: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) degree: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) scale: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) offset: Option<f64>,
    /// How the bandwidth was found, if by trying several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cross_validation: Option<CrossValidation>,
}

impl Kernel {
    /// The kernel with this formula; without one, kernel matrices.
    pub(crate) fn new(form: Option<Form>) -> Kernel {
        let named = |name: KernelName| Kernel {
            name: name.word().to_owned(),
            bandwidth: None,
            degree: None,
            scale: None,
            offset: None,
            cross_validation: None,
        };
        let wide = |name, bandwidth| Kernel { bandwidth: Some(bandwidth), ..named(name) };
        match form {
            Some(Form::Gaussian { bandwidth }) => wide(KernelName::Gaussian, bandwidth),
            Some(Form::Laplacian { bandwidth }) => wide(KernelName::Laplacian, bandwidth),
            Some(Form::Matern32 { bandwidth }) => wide(KernelName::Matern32, bandwidth),
            Some(Form::Matern52 { bandwidth }) => wide(KernelName::Matern52, bandwidth),
            Some(Form::InverseMultiquadric { bandwidth }) => wide(KernelName::InverseMultiquadric, bandwidth),
            Some(Form::Linear) => named(KernelName::Linear),
            Some(Form::Polynomial { degree, scale, offset }) => Kernel {
                degree: Some(degree),
                scale: Some(scale),
                offset: Some(offset),
                ..named(KernelName::Polynomial)
            },
            Some(Form::Cosine) => named(KernelName::Cosine),
            Some(Form::Hamming) => named(KernelName::Hamming),
            _ => named(KernelName::Precomputed),
        }
    }

    /// The formula; `Ok(None)` for kernel matrices.
    ///
    /// # Errors
    ///
    /// What is wrong, if the name is unknown or lacks a parameter.
    pub(crate) fn form(&self) -> Result<Option<Form>, String> {
        let lacks = |what: &str| format!("the kernel {:?} lacks its {what:?}", self.name);
        let bandwidth = self.bandwidth.ok_or_else(|| lacks("bandwidth"));
        Ok(Some(match self.name.as_str() {
            "gaussian" => Form::Gaussian { bandwidth: bandwidth? },
            "laplacian" => Form::Laplacian { bandwidth: bandwidth? },
            "matern32" => Form::Matern32 { bandwidth: bandwidth? },
            "matern52" => Form::Matern52 { bandwidth: bandwidth? },
            "inverse-multiquadric" => Form::InverseMultiquadric { bandwidth: bandwidth? },
            "linear" => Form::Linear,
            "polynomial" => Form::Polynomial {
                degree: self.degree.ok_or_else(|| lacks("degree"))?,
                scale: self.scale.ok_or_else(|| lacks("scale"))?,
                offset: self.offset.ok_or_else(|| lacks("offset"))?,
            },
            "cosine" => Form::Cosine,
            "hamming" => Form::Hamming,
            "precomputed" => return Ok(None),
            other => return Err(format!("there is no kernel {other:?}")),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn every_kernel_comes_back() {
        for name in KernelName::value_variants() {
            let (bandwidth, scale, offset) = (Some(2.0), Some(0.5), Some(1.0));
            let bare = Kernel::new(None);
            let saved = Kernel { name: name.word().to_owned(), bandwidth, degree: Some(3), scale, offset, ..bare };
            let form = saved.form().unwrap();
            assert_eq!(Kernel::new(form).name, name.word());
            assert_eq!(Kernel::new(form).form(), Ok(form));
        }
    }

    #[test]
    fn a_kernel_without_its_width_is_refused() {
        let lacking = Kernel { bandwidth: None, ..Kernel::new(Some(Form::Gaussian { bandwidth: 1.0 })) };
        assert_eq!(lacking.form(), Err("the kernel \"gaussian\" lacks its \"bandwidth\"".to_owned()));
    }
}
