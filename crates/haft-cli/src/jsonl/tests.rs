use super::*;

#[test]
fn the_only_batch_has_room_and_the_next_one_waits_for_it() {
    let room = Arc::new(Room::new(100));
    room.take(100 * SMALLEST);
    let (said, heard) = mpsc::channel();
    let waiting = thread::spawn({
        let (room, said) = (Arc::clone(&room), said.clone());
        move || {
            room.take(1);
            let _ = said.send("taken");
        }
    });
    said.send("given").unwrap();
    room.give(100 * SMALLEST);
    waiting.join().unwrap();
    assert_eq!(heard.try_iter().collect::<Vec<_>>(), ["given", "taken"]);
    assert_eq!(*room.taken.lock().unwrap(), SMALLEST);
}
