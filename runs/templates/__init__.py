"""What `memtrial new` writes: small files that work as they are."""
