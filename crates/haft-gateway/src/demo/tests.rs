use super::*;

#[tokio::test]
async fn every_scene_is_broken_without_haft_and_correct_with_it() {
    let scenes = scenes().await.unwrap();
    let after: Vec<_> = scenes.iter().map(|scene| scene.after.as_str()).collect();
    let oslo = "call get_weather {\"city\":\"Oslo\"}";
    assert_eq!(
        after,
        [
            "text \"Sure, let me look!\", call get_weather {\"city\":\"Oslo\"}",
            oslo,
            "call get_weather {\"city\":\"Oslo\",\"days\":5}",
            "text \"I cannot look outside; Oslo is cold in November.\"",
            oslo,
            "text \"It is -3 degrees in Oslo.\" after 3 calls",
        ]
    );
    for scene in &scenes {
        assert_ne!(scene.before, scene.after, "{}", scene.title);
    }
    assert_eq!(scenes[3].before, "nothing at all");
    assert!(
        scenes[4].before.starts_with("error: "),
        "{}",
        scenes[4].before
    );
}
