//! The workspace's binaries, built in the test profile.

use std::path::PathBuf;

use serde::Deserialize;

use crate::workspace::{StepError, Workspace, output};

/// Path of the binary `name`. `cargo test` has usually built it already, for the integration tests.
pub(crate) fn build(workspace: &Workspace, name: &str) -> Result<PathBuf, StepError> {
    let arguments = ["test", "--workspace", "--no-run", "--message-format", "json-render-diagnostics"];
    let messages = output(&mut workspace.cargo(&arguments))?;
    let found = messages.lines().find_map(|message| program(message, name));
    found.ok_or_else(|| StepError::new(format!("cargo built no binary called {name}")))
}

#[derive(Deserialize)]
struct Artifact {
    target: ArtifactTarget,
    profile: ArtifactProfile,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct ArtifactTarget {
    name: String,
}

#[derive(Deserialize)]
struct ArtifactProfile {
    test: bool,
}

/// Path of the binary, if this cargo message reports it.
fn program(message: &str, name: &str) -> Option<PathBuf> {
    let artifact: Artifact = serde_json::from_str(message).ok()?;
    artifact.executable.filter(|_| artifact.target.name == name && !artifact.profile.test)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, is_test: bool, executable: &str) -> Option<PathBuf> {
        let message =
            format!(r#"{{"target":{{"name":"{name}"}},"profile":{{"test":{is_test}}},"executable":{executable}}}"#);
        program(&message, "protodash")
    }

    #[test]
    fn binary_is_not_confused_with_library_or_tests() {
        assert_eq!(found("protodash", false, r#""bin/protodash""#), Some(PathBuf::from("bin/protodash")));
        assert_eq!(found("protodash", false, "null"), None);
        assert_eq!(found("protodash", true, r#""deps/protodash-1""#), None);
        assert_eq!(found("xtask", false, r#""bin/xtask""#), None);
        assert_eq!(program(r#"{"reason":"build-finished","success":true}"#, "protodash"), None);
    }
}
