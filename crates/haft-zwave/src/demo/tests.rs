use super::*;
use crate::ZwaveErrorKind;

#[tokio::test]
async fn a_missing_device_is_an_error() {
    let error = DemoHome::in_memory()
        .set("Oven", Command::On)
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ZwaveErrorKind::DeviceGone);
    assert_eq!(error.to_string(), "Oven is no longer part of the home.");
}

#[tokio::test]
async fn the_default_home_is_valid_and_has_every_kind_of_device() {
    rooms::default_home(Timestamp::now()).check().unwrap();
    let devices = DemoHome::in_memory().devices().await.unwrap();
    for kind in ["switch", "dimmer", "thermostat", "sensor", "lock"] {
        assert!(
            devices.iter().any(|device| device.kind.word() == kind),
            "{kind}"
        );
    }
    assert!(devices.iter().any(|device| !device.online));
}
