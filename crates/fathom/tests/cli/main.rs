//! The `fathom` program from outside: what a user types, sees and finds
//! afterwards. Each test has a sandbox of its own.
#![expect(clippy::disallowed_methods, reason = "a test may panic where no thread can be made")]

#[cfg(test)]
mod action;
#[cfg(test)]
mod audit;
#[cfg(test)]
mod audit_budgets;
#[cfg(test)]
mod audit_capture;
#[cfg(test)]
mod audit_config;
#[cfg(test)]
mod audit_container;
#[cfg(test)]
mod audit_diff;
#[cfg(test)]
mod audit_forms;
mod audit_java;
#[cfg(test)]
mod audit_lost;
mod audit_node;
#[cfg(test)]
mod audit_runtimes;
mod audit_scripts;
mod audit_sleep;
mod audit_stacks;
mod audit_tree;
mod audit_uring;
mod audit_waits;
#[cfg(test)]
mod bench;
mod bench_commands;
#[cfg(test)]
mod bisect;
#[cfg(test)]
mod book;
#[cfg(test)]
mod browser;
#[cfg(test)]
mod capability;
#[cfg(test)]
mod ci;
#[cfg(test)]
mod ci_planted;
mod ci_runs;
#[cfg(test)]
mod collection;
#[cfg(test)]
mod compare;
#[cfg(test)]
mod corpus;
#[cfg(test)]
mod corpus_blind;
#[cfg(test)]
mod corpus_real;
#[cfg(test)]
mod cost_of_calls;
#[cfg(test)]
mod count_command;
#[cfg(test)]
mod counts;
#[cfg(test)]
mod create_storm;
#[cfg(test)]
mod data;
#[cfg(test)]
mod decide;
#[cfg(test)]
mod driver_check;
#[cfg(test)]
mod elsewhere;
mod events_out;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod experiments;
#[cfg(test)]
mod export;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod field_tools;
mod figures;
#[cfg(test)]
mod gate;
#[cfg(test)]
mod hidden_names;
#[cfg(test)]
mod hostile_drivers;
#[cfg(test)]
mod interleaved;
#[cfg(test)]
mod interrupts;
#[cfg(test)]
mod kernel_evidence;
#[cfg(test)]
mod latencies;
#[cfg(test)]
mod live_view;
#[cfg(test)]
mod long_operations;
#[cfg(test)]
mod manual;
#[cfg(test)]
mod many_files;
#[cfg(test)]
mod missing;
#[cfg(test)]
mod mistakes;
#[cfg(test)]
mod other_file_system;
#[cfg(test)]
mod own_files;
mod own_functions;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod parquet;
#[cfg(test)]
mod places;
#[cfg(test)]
mod prices;
#[cfg(test)]
mod profiles;
#[cfg(test)]
mod rank_starts;
#[cfg(test)]
mod ranks;
#[cfg(test)]
mod ranks_elsewhere;
#[cfg(test)]
mod ranks_ended;
#[cfg(test)]
mod ranks_mpich;
#[cfg(test)]
mod ranks_of_others;
#[cfg(test)]
mod redaction;
#[cfg(test)]
mod report;
#[cfg(test)]
mod running;
#[cfg(test)]
mod runtimes;
#[cfg(test)]
mod sandbox;
#[cfg(test)]
mod scale;
#[cfg(test)]
mod scenarios;
#[cfg(test)]
mod terminal;
#[cfg(test)]
mod top;
#[cfg(test)]
mod trace_file;
#[cfg(test)]
mod track;
#[cfg(test)]
mod trust;
#[cfg(test)]
mod umask;
#[cfg(test)]
mod validity;
mod variables;
#[cfg(test)]
mod verify;
#[cfg(test)]
mod what_if_traps;
mod what_if_windows;
#[cfg(test)]
mod whatif;
#[cfg(test)]
mod write_ups;
#[cfg(test)]
mod wrong_answers;
