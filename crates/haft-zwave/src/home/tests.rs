use super::*;

#[tokio::test]
async fn clones_of_a_home_share_its_state() {
    let home = Home::demo();
    let lamp = home
        .devices()
        .await
        .unwrap()
        .into_iter()
        .find(|device| device.name == "Kitchen Light");
    let lamp = lamp.unwrap();
    assert_eq!(lamp.on, Some(false));
    home.clone().set(&lamp, Command::On).await.unwrap();
    assert_eq!(home.read(&lamp).await.unwrap().on, Some(true));
    assert_eq!(Home::demo().read(&lamp).await.unwrap().on, Some(false));
}

#[tokio::test]
async fn devices_come_sorted_by_name() {
    let devices = Home::demo().devices().await.unwrap();
    let names: Vec<_> = devices.iter().map(|device| device.name.clone()).collect();
    let mut sorted = names.clone();
    sorted.sort();
    assert_eq!(names, sorted);
    assert_eq!(names.len(), 14);
}
