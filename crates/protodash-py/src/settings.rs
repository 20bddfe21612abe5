//! Settings of `protodash-table` as keyword arguments; hints name only those of the called function.

use protodash_table::{Setting, SettingValue, python_text};

/// The keyword arguments of the function that the user called.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keywords(pub(crate) Vec<String>);

impl Keywords {
    /// Returns a setting as a keyword argument, with its value if it has one; `None` if the function has no such keyword.
    pub(crate) fn write(&self, setting: &Setting) -> Option<String> {
        let keyword = keyword(setting)?;
        let list = |names: Vec<String>| names.iter().map(|name| python_text(name)).collect::<Vec<_>>().join(", ");
        let written = match setting.value() {
            None => keyword.to_owned(),
            Some(SettingValue::Names(names)) => format!("{keyword}=[{}]", list(names)),
            Some(SettingValue::Text(text)) => format!("{keyword}={}", python_text(&text)),
            Some(SettingValue::Number(number)) => format!("{keyword}={number}"),
        };
        self.0.iter().any(|other| other == keyword).then_some(written)
    }
}

/// Returns a setting as a keyword argument, whether or not the called function has it: for notes in a result.
pub(crate) fn any_keyword(setting: &Setting) -> Option<String> {
    keyword(setting).map(str::to_owned)
}

/// Returns the keyword of a setting; `None` for settings of files.
fn keyword(setting: &Setting) -> Option<&'static str> {
    match setting {
        Setting::NoHeader | Setting::Delimiter(_) | Setting::KeysOf | Setting::Estimate => None,
        Setting::TargetWeight => Some("target_weights"),
        other => Some(other.name()),
    }
}
