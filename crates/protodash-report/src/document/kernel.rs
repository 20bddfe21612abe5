//! The kernel in the format: its name and parameters.

use protodash::Form;
use serde::{Deserialize, Serialize};

use super::CrossValidationRecord;

/// A kernel with its parameters.
///
/// # Examples
///
/// ```
/// use protodash_report::Kernel;
///
/// let kernel: Kernel = serde_json::from_str(r#"{"name": "gaussian", "bandwidth": 2.0}"#)?;
/// assert_eq!(kernel.bandwidth, Some(2.0));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// The bandwidth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bandwidth: Option<f64>,
    /// The degree of a polynomial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub degree: Option<u32>,
    /// The factor of the inner product.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// The offset of a polynomial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<f64>,
    /// The cross-validation of the bandwidth, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cross_validation: Option<CrossValidationRecord>,
}

impl Kernel {
    /// The kernel with this formula; without one, kernel matrices.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_report::Kernel::new(Some(protodash::Form::Linear)).name, "linear");
    /// assert_eq!(protodash_report::Kernel::new(None).name, "precomputed");
    /// ```
    #[must_use]
    pub fn new(form: Option<Form>) -> Kernel {
        let named = |name: &str| Kernel {
            name: name.to_owned(),
            bandwidth: None,
            degree: None,
            scale: None,
            offset: None,
            cross_validation: None,
        };
        let wide = |name, bandwidth| Kernel { bandwidth: Some(bandwidth), ..named(name) };
        match form {
            Some(Form::Gaussian { bandwidth }) => wide("gaussian", bandwidth),
            Some(Form::Laplacian { bandwidth }) => wide("laplacian", bandwidth),
            Some(Form::Matern32 { bandwidth }) => wide("matern32", bandwidth),
            Some(Form::Matern52 { bandwidth }) => wide("matern52", bandwidth),
            Some(Form::InverseMultiquadric { bandwidth }) => wide("inverse-multiquadric", bandwidth),
            Some(Form::Linear) => named("linear"),
            Some(Form::Polynomial { degree, scale, offset }) => {
                Kernel { degree: Some(degree), scale: Some(scale), offset: Some(offset), ..named("polynomial") }
            }
            Some(Form::Cosine) => named("cosine"),
            Some(Form::Hamming) => named("hamming"),
            _ => named("precomputed"),
        }
    }

    /// The formula; `Ok(None)` for kernel matrices.
    ///
    /// # Errors
    ///
    /// What is wrong, if the name is unknown or lacks a parameter.
    ///
    /// # Examples
    ///
    /// ```
    /// let kernel = protodash_report::Kernel::new(Some(protodash::Form::Cosine));
    /// assert_eq!(kernel.form(), Ok(Some(protodash::Form::Cosine)));
    /// ```
    pub fn form(&self) -> Result<Option<Form>, String> {
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

    #[test]
    fn every_kernel_comes_back() {
        let wide = ["gaussian", "laplacian", "matern32", "matern52", "inverse-multiquadric"];
        for name in wide.into_iter().chain(["linear", "polynomial", "cosine", "hamming", "precomputed"]) {
            let (bandwidth, scale, offset) = (Some(2.0), Some(0.5), Some(1.0));
            let bare = Kernel::new(None);
            let saved = Kernel { name: name.to_owned(), bandwidth, degree: Some(3), scale, offset, ..bare };
            let form = saved.form().unwrap();
            assert_eq!(Kernel::new(form).name, name);
            assert_eq!(Kernel::new(form).form(), Ok(form));
        }
    }

    #[test]
    fn a_kernel_without_its_width_is_refused() {
        let lacking = Kernel { bandwidth: None, ..Kernel::new(Some(Form::Gaussian { bandwidth: 1.0 })) };
        assert_eq!(lacking.form(), Err("the kernel \"gaussian\" lacks its \"bandwidth\"".to_owned()));
    }
}
