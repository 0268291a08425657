//! Scripted servers, scripted models and recorded traffic for the tests of haft; never published.
