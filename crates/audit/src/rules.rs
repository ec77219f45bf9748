//! The table of all rules. Each is a file of its own, and none knows of another.

mod access_times;
mod append_reopened;
mod asked_then_made;
mod changed_between_check_and_use;
mod chdir_per_file;
mod close_storm;
mod copied_by_hand;
mod copies_lost;
mod deep_paths;
mod descriptors_leak;
mod directory_asked_again;
mod directory_fstat;
mod directory_listed_again;
mod directory_made_again;
mod directory_not_synced;
mod double_close;
mod end_probe;
mod error_ignored;
mod extension_probing;
mod flags_set_late;
mod growing_reads;
mod idle_advice;
mod inherited_on_exec;
mod lock_per_record;
mod mapped_and_cut;
mod missing_again;
mod missing_parent;
mod mode_set_twice;
mod moved_by_copy;
mod never_written;
mod open_then_stat;
mod over_asking;
mod overwritten_in_place;
mod polling;
mod probed_and_listed;
mod read_again;
mod real_paths;
mod refused_direct;
mod refused_forever;
mod removed_before_rename;
mod removed_missing;
mod renamed_to_itself;
mod reopened;
mod repeated_fstat;
mod replaced_again;
mod rewritten_in_place;
mod same_stat_again;
mod scattered_reads;
mod search_path;
mod seek_and_read;
mod seek_back;
mod seek_nowhere;
mod seek_tells_nothing;
mod size_by_seeking;
mod small_buffer;
mod stale_bytecode;
mod stat_after_list;
mod stat_then_open;
mod sync_storm;
mod synced_writes;
mod terminal_question;
mod tiny_map;
mod tiny_reads;
mod tiny_writes;
mod unsafe_temporary;
mod unsynced_rename;
mod watch_of_file;
mod write_open_fstat;
mod written_for_nothing;
mod zone_and_locale;

use crate::rule::RuleFacts;

/// By number.
pub(crate) const RULES: &[RuleFacts] = &[
    write_open_fstat::FACTS,
    directory_fstat::FACTS,
    repeated_fstat::FACTS,
    terminal_question::FACTS,
    seek_tells_nothing::FACTS,
    seek_nowhere::FACTS,
    size_by_seeking::FACTS,
    flags_set_late::FACTS,
    watch_of_file::FACTS,
    mode_set_twice::FACTS,
    refused_forever::FACTS,
    over_asking::FACTS,
    stat_then_open::FACTS,
    open_then_stat::FACTS,
    same_stat_again::FACTS,
    missing_again::FACTS,
    search_path::FACTS,
    missing_parent::FACTS,
    extension_probing::FACTS,
    real_paths::FACTS,
    stat_after_list::FACTS,
    probed_and_listed::FACTS,
    reopened::FACTS,
    directory_made_again::FACTS,
    deep_paths::FACTS,
    zone_and_locale::FACTS,
    directory_asked_again::FACTS,
    tiny_reads::FACTS,
    tiny_writes::FACTS,
    small_buffer::FACTS,
    end_probe::FACTS,
    growing_reads::FACTS,
    polling::FACTS,
    seek_and_read::FACTS,
    read_again::FACTS,
    seek_back::FACTS,
    tiny_map::FACTS,
    scattered_reads::FACTS,
    mapped_and_cut::FACTS,
    refused_direct::FACTS,
    idle_advice::FACTS,
    copied_by_hand::FACTS,
    access_times::FACTS,
    written_for_nothing::FACTS,
    sync_storm::FACTS,
    rewritten_in_place::FACTS,
    unsynced_rename::FACTS,
    renamed_to_itself::FACTS,
    error_ignored::FACTS,
    descriptors_leak::FACTS,
    inherited_on_exec::FACTS,
    close_storm::FACTS,
    double_close::FACTS,
    changed_between_check_and_use::FACTS,
    unsafe_temporary::FACTS,
    asked_then_made::FACTS,
    directory_not_synced::FACTS,
    removed_before_rename::FACTS,
    overwritten_in_place::FACTS,
    moved_by_copy::FACTS,
    append_reopened::FACTS,
    synced_writes::FACTS,
    copies_lost::FACTS,
    directory_listed_again::FACTS,
    chdir_per_file::FACTS,
    never_written::FACTS,
    stale_bytecode::FACTS,
    removed_missing::FACTS,
    lock_per_record::FACTS,
    replaced_again::FACTS,
];

#[cfg(test)]
pub(crate) const TRIOS: &[crate::trio::Trio] = &[
    write_open_fstat::TRIO,
    directory_fstat::TRIO,
    repeated_fstat::TRIO,
    terminal_question::TRIO,
    seek_tells_nothing::TRIO,
    seek_nowhere::TRIO,
    size_by_seeking::TRIO,
    flags_set_late::TRIO,
    watch_of_file::TRIO,
    mode_set_twice::TRIO,
    refused_forever::TRIO,
    over_asking::TRIO,
    stat_then_open::TRIO,
    open_then_stat::TRIO,
    same_stat_again::TRIO,
    missing_again::TRIO,
    search_path::TRIO,
    missing_parent::TRIO,
    extension_probing::TRIO,
    real_paths::TRIO,
    stat_after_list::TRIO,
    probed_and_listed::TRIO,
    reopened::TRIO,
    directory_made_again::TRIO,
    deep_paths::TRIO,
    zone_and_locale::TRIO,
    directory_asked_again::TRIO,
    tiny_reads::TRIO,
    tiny_writes::TRIO,
    small_buffer::TRIO,
    end_probe::TRIO,
    growing_reads::TRIO,
    polling::TRIO,
    seek_and_read::TRIO,
    read_again::TRIO,
    seek_back::TRIO,
    tiny_map::TRIO,
    scattered_reads::TRIO,
    mapped_and_cut::TRIO,
    refused_direct::TRIO,
    idle_advice::TRIO,
    copied_by_hand::TRIO,
    access_times::TRIO,
    written_for_nothing::TRIO,
    sync_storm::TRIO,
    rewritten_in_place::TRIO,
    unsynced_rename::TRIO,
    renamed_to_itself::TRIO,
    error_ignored::TRIO,
    descriptors_leak::TRIO,
    inherited_on_exec::TRIO,
    close_storm::TRIO,
    double_close::TRIO,
    changed_between_check_and_use::TRIO,
    unsafe_temporary::TRIO,
    asked_then_made::TRIO,
    directory_not_synced::TRIO,
    removed_before_rename::TRIO,
    overwritten_in_place::TRIO,
    moved_by_copy::TRIO,
    append_reopened::TRIO,
    synced_writes::TRIO,
    copies_lost::TRIO,
    directory_listed_again::TRIO,
    chdir_per_file::TRIO,
    never_written::TRIO,
    stale_bytecode::TRIO,
    removed_missing::TRIO,
    lock_per_record::TRIO,
    replaced_again::TRIO,
];
