//! The agent loop of haft: a query in, a stream of events and an answer out.
