mkdir -p brew
