use super::*;

#[test]
fn a_conversation_has_files_for_both_of_its_connections() {
    for files in [256, 1024, 4096, 1_048_576, u64::MAX / 2] {
        let limits = GatewayLimits::for_files(files);
        let needed = limits.connections + limits.conversations;
        assert!(needed as u64 + OTHER_FILES <= files || limits.connections == 64);
        assert!(limits.connections_per_address < limits.connections);
    }
    assert_eq!(GatewayLimits::for_files(1_048_576).conversations, 8192);
    assert_eq!(GatewayLimits::for_files(1024).conversations, 298);
}
