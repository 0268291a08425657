use tempfile::TempDir;

use super::*;
use crate::device::{Command, Device};
use crate::home::Home;

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.json");
    (folder, path)
}

async fn device(home: &Home, name: &str) -> Device {
    let devices = home.devices().await.unwrap();
    devices
        .into_iter()
        .find(|device| device.name == name)
        .unwrap()
}

fn error_for(text: &str) -> (String, ZwaveErrorKind) {
    let (_folder, path) = folder();
    fs::write(&path, text).unwrap();
    let error = Home::demo_file(&path).unwrap_err();
    assert!(error.to_string().contains("home.json"), "{error}");
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        text,
        "a bad file is left as it is"
    );
    (error.to_string(), error.kind())
}

#[tokio::test]
async fn a_state_outlives_the_home_that_made_it() {
    let (folder, path) = folder();
    let home = Home::demo_file(&path).unwrap();
    let lamp = device(&home, "Bedroom Light").await;
    home.set(&lamp, Command::Level(77)).await.unwrap();
    drop(home);
    let home = Home::demo_file(&path).unwrap();
    assert_eq!(device(&home, "Bedroom Light").await.level, Some(77));
    assert_eq!(device(&home, "Reading Light").await.level, Some(30));
    let mut names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["home.json", "home.json.lock"],
        "no temporary file stays"
    );
}

#[tokio::test]
async fn a_manual_edit_takes_effect_at_once() {
    let (_folder, path) = folder();
    let home = Home::demo_file(&path).unwrap();
    let own =
        r#"{"devices": [{"name": "Sauna", "location": "Cellar", "type": "switch", "on": true}]}"#;
    fs::write(&path, own).unwrap();
    assert_eq!(home.devices().await.unwrap().len(), 1);
    assert_eq!(device(&home, "Sauna").await.on, Some(true));
    fs::write(&path, "{").unwrap();
    let error = home.devices().await.unwrap_err();
    assert_eq!(error.kind(), ZwaveErrorKind::InvalidFile);
}

#[tokio::test]
async fn concurrent_changes_through_two_homes_lose_nothing() {
    let (_folder, path) = folder();
    let count = 20;
    let devices: Vec<_> = (0..count)
        .map(|number| format!(r#"{{"name": "S{number}", "location": "R", "type": "switch"}}"#))
        .collect();
    fs::write(&path, format!(r#"{{"devices": [{}]}}"#, devices.join(","))).unwrap();
    let homes = [
        Home::demo_file(&path).unwrap(),
        Home::demo_file(&path).unwrap(),
    ];
    let devices = homes[0].devices().await.unwrap();
    let tasks: Vec<_> = devices
        .into_iter()
        .zip(homes.iter().cycle().cloned())
        .map(|(device, home)| tokio::spawn(async move { home.set(&device, Command::On).await }))
        .collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    let devices = homes[1].devices().await.unwrap();
    assert_eq!(
        devices
            .iter()
            .filter(|device| device.on == Some(true))
            .count(),
        count
    );
}

#[test]
fn an_invalid_home_file_is_reported_with_its_line() {
    let rows = [
        ("", "line 1: EOF"),
        ("[]", "expected an object with a list of \"devices\"."),
        (
            "{\n\"devices\": [\n{\"nam\": 1}]}",
            "line 3: unknown field `nam`",
        ),
        (
            "{\"devices\": [\n\n{\"name\": \"A\", \"location\": \"R\", \"type\": \"oven\"}]}",
            "line 3: unknown variant `oven`",
        ),
        (
            "{\"devices\": [\n{\"name\": \"A\",\n \"location\": \"R\", \"type\": \"dimmer\",\n \"level\": true}]}",
            "line 4: invalid type: boolean",
        ),
        (
            "{\"devices\": [\n{\"name\": \"A\", \"location\": \"R\", \"type\": \"switch\"},\n{\"name\": \"B\", \"location\": \"R\", \"type\": \"switch\", \"level\": 3}]}",
            "line 3: in \"B\", a switch has no \"level\".",
        ),
        (
            "{\"devices\": [\n{\"name\": \"A\", \"location\": \"R\", \"type\": \"switch\"},\n{\"name\": \"A\", \"location\": \"R\", \"type\": \"switch\"}]}",
            "line 3: in \"A\", another device has the same name.",
        ),
    ];
    for (text, expected) in rows {
        let (message, kind) = error_for(text);
        assert!(message.contains(expected), "{message:?} lacks {expected:?}");
        assert!(!message.contains("column"), "{message:?}");
        assert_eq!(kind, ZwaveErrorKind::InvalidFile);
    }
}

#[test]
fn a_file_that_is_too_large_is_refused_unread() {
    let (message, kind) = error_for(&" ".repeat(MAX_BYTES as usize + 1));
    assert!(message.ends_with("it is larger than 256 KB."), "{message}");
    assert_eq!(kind, ZwaveErrorKind::InvalidFile);
}

#[test]
fn every_error_has_a_hint() {
    let (_folder, path) = folder();
    fs::write(&path, "{").unwrap();
    let error = Home::demo_file(&path).unwrap_err();
    assert_eq!(
        error.hint(),
        "Correct it, or delete the file to start again with the default home."
    );
    let tool_error = haft_core::ToolError::from(error.clone());
    assert_eq!(tool_error.message(), format!("{error} {}", error.hint()));
}

#[test]
fn a_folder_in_place_of_the_file_is_an_error() {
    let (folder, _) = folder();
    let error = Home::demo_file(folder.path()).unwrap_err();
    assert_eq!(error.kind(), ZwaveErrorKind::Io);
}

#[test]
fn a_home_that_stays_locked_is_busy() {
    let (_folder, path) = folder();
    Home::demo_file(&path).unwrap();
    let file = HomeFile { path };
    let held = file.lock(LOCK_WAIT).unwrap();
    let error = file.lock(Duration::from_millis(20)).unwrap_err();
    assert_eq!(error.kind(), ZwaveErrorKind::Busy);
    drop(held);
    assert!(file.lock(Duration::from_millis(20)).is_ok());
}

#[cfg(unix)]
#[tokio::test]
async fn a_symbolic_link_to_the_file_is_kept() {
    let (folder, path) = folder();
    Home::demo_file(&path).unwrap();
    let link = folder.path().join("link.json");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let home = Home::demo_file(&link).unwrap();
    let lamp = device(&home, "Kitchen Light").await;
    home.set(&lamp, Command::On).await.unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let original = Home::demo_file(&path).unwrap();
    assert_eq!(device(&original, "Kitchen Light").await.on, Some(true));
}

#[tokio::test]
async fn a_missing_file_is_created_with_the_default_home() {
    let (_folder, path) = folder();
    let home = Home::demo_file(&path).unwrap();
    assert!(
        fs::read_to_string(&path)
            .unwrap()
            .contains("\"Kitchen Light\"")
    );
    assert_eq!(home.devices().await.unwrap().len(), 14);
}
