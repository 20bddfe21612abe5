//! The programs of the workspace, built as `cargo test` builds them.

use std::path::PathBuf;

use serde::Deserialize;

use crate::workspace::{StepError, Workspace, output};

/// Path of the program `name`, built in the profile of the tests: their integration tests run it too, so that it is there
/// already.
pub(crate) fn build(workspace: &Workspace, name: &str) -> Result<PathBuf, StepError> {
    let arguments = ["test", "--workspace", "--no-run", "--message-format", "json-render-diagnostics"];
    let messages = output(&mut workspace.cargo(&arguments))?;
    let found = messages.lines().find_map(|message| program(message, name));
    found.ok_or_else(|| StepError::new(format!("cargo built no program called {name}")))
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

/// Path of the program, if this message of cargo announces it.
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
    fn the_program_is_neither_the_library_nor_its_tests() {
        assert_eq!(found("protodash", false, r#""bin/protodash""#), Some(PathBuf::from("bin/protodash")));
        assert_eq!(found("protodash", false, "null"), None);
        assert_eq!(found("protodash", true, r#""deps/protodash-1""#), None);
        assert_eq!(found("xtask", false, r#""bin/xtask""#), None);
        assert_eq!(program(r#"{"reason":"build-finished","success":true}"#, "protodash"), None);
    }
}
