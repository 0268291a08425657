use super::*;

#[test]
fn intents_have_names() {
    for intent in Intent::ALL {
        assert_eq!(Intent::named(intent.name()), Some(intent));
    }
    assert_eq!(Intent::named("Device"), None);
}

#[test]
fn a_set_keeps_the_order_of_all() {
    let set = IntentSet::from_iter([Intent::Action, Intent::Device, Intent::Action]);
    assert_eq!(
        set.iter().collect::<Vec<_>>(),
        [Intent::Device, Intent::Action]
    );
    assert!(IntentSet::default().is_empty() && !set.is_empty());
    let more = set.union(IntentSet::from_iter([Intent::Web]));
    assert!(more.contains(Intent::Web) && !set.contains(Intent::Web));
}
