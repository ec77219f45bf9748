//! At the return of a call: its number, arguments and result, and what its plan says is
//! to be copied. The registers still hold the arguments then, and the pages that the
//! call itself looked at are there, which they need not be when it begins.

use super::{CALL_NUMBER, CALL_RESULT, KEPT, KEY, Layout, Maps, Writer, look_up};
use crate::file_trace::ring::assembly::{Do, Helper, If, R0, R1, R2, R3, R6, R7, R8, R9, STACK, Width};
use crate::file_trace::ring::plan::{
    CALLS, LARGEST_BLOCK_BYTES, LARGEST_SECOND_BYTES, LONGEST_TEXT_BYTES, PLAIN, Size,
};
use crate::file_trace::ring::record::{ARGUMENTS, HEAD_BYTES, Kind, LENGTHS};
use fathom_sys::bpf::Instruction;

const MOST_PIECES: i32 = 1024;
/// A piece has 16 bytes.
const PIECE_SHIFT: i32 = 4;
/// Calls in the form of x32 have this bit.
const X32: i32 = 0x4000_0000;

/// The program at `sys_exit`.
pub(in crate::file_trace::ring) fn at_return(maps: &Maps, layout: &Layout) -> Vec<Instruction> {
    let mut writer = Writer::new(maps, layout);
    writer.who();
    writer.only_watched(R7);
    let foreign = writer.assembly.label();
    let beyond = writer.assembly.label();
    let send = writer.assembly.label();
    let out = writer.out;
    let code = &mut writer.assembly;
    code.load(Width::Eight, R1, R6, 8);
    code.store(Width::Eight, STACK, CALL_RESULT, R1);
    code.load(Width::Eight, R6, R6, 0);
    layout.call_number.load(code, R8, R6);
    code.store(Width::Eight, STACK, CALL_NUMBER, R8);
    writer.is_foreign();
    let code = &mut writer.assembly;
    code.jump_if(If::NotEqual, R0, 0, foreign);
    code.jump_if(If::Above, R8, CALLS.cast_signed() - 1, beyond);
    code.store(Width::Four, STACK, KEY, R8);
    look_up(code, &maps.plans, KEY, out);
    code.copy(R8, R0);
    code.load(Width::One, R1, R8, 0);
    code.jump_if(If::Equal, R1, 0, out);
    let decided = writer.assembly.label();
    if let (Some(scripts), Some(turns)) = (&maps.scripts, &maps.turns) {
        writer.stop_for_scripts(scripts, turns, decided);
    }
    if let Some(stacks) = &maps.stacks {
        writer.find_stack(stacks);
    }
    writer.assembly.here(decided);
    writer.begin_record(Kind::Call, Some(CALL_NUMBER));
    if maps.stacks.is_some() {
        writer.stack_number();
    }
    if let Some(slots) = &maps.slots {
        writer.times(slots);
    }
    if let Some(slots) = &maps.waits {
        writer.wait(slots);
    }
    writer.assembly.load(Width::Eight, R1, STACK, CALL_RESULT);
    writer.result(R1);
    for (number, offset) in (0..).zip(layout.arguments) {
        writer.assembly.load(Width::Eight, R1, R6, offset);
        writer.argument(number, R1);
    }
    let code = &mut writer.assembly;
    // From here on `R7` says how long the record is.
    code.set(R7, i32::from(HEAD_BYTES));
    code.load(Width::One, R1, R8, 0);
    code.jump_if(If::Equal, R1, i32::from(PLAIN), send);
    for number in 0..2 {
        copy_text(&mut writer, number);
    }
    for (number, largest) in [(0, LARGEST_BLOCK_BYTES), (1, LARGEST_SECOND_BYTES)] {
        copy_block(&mut writer, number, largest);
    }
    writer.assembly.here(send);
    writer.send();
    writer.assembly.jump(out);
    writer.assembly.here(beyond);
    // Of numbers beyond the table, those with the bit are calls, and others none at all: the
    // return from a signal's handler has -1.
    writer.assembly.jump_if(If::SignedBelow, R8, 0, out);
    writer.assembly.copy(R1, R8);
    writer.assembly.number(Do::And, R1, X32);
    writer.assembly.jump_if(If::Equal, R1, 0, out);
    writer.assembly.here(foreign);
    writer.begin_record(Kind::ForeignCall, Some(CALL_NUMBER));
    for number in 0..6 {
        writer.assembly.set(R1, 0);
        writer.argument(number, R1);
    }
    writer.send_head();
    writer.finish()
}

/// Loads the argument whose number is in `R1` into `R3`.
fn load_argument(writer: &mut Writer<'_>, further: i16) {
    let code = &mut writer.assembly;
    // The verifier has to see that it stays in the record's head.
    code.number(Do::And, R1, 7);
    code.number(Do::ShiftLeft, R1, 3);
    code.with(Do::Add, R1, R9);
    code.load(Width::Eight, R3, R1, ARGUMENTS + 8 * further);
}

fn copy_text(writer: &mut Writer<'_>, number: i16) {
    let none = writer.assembly.label();
    let code = &mut writer.assembly;
    code.load(Width::One, R1, R8, 1 + number);
    code.jump_if(If::Equal, R1, 0, none);
    code.number(Do::Subtract, R1, 1);
    load_argument(writer, 0);
    let code = &mut writer.assembly;
    code.copy(R1, R9);
    code.with(Do::Add, R1, R7);
    code.set(R2, i32::from(LONGEST_TEXT_BYTES));
    code.call(Helper::ReadUserText);
    code.jump_if(If::SignedNotAbove, R0, 0, none);
    code.store(Width::Two, R9, LENGTHS + 2 * number, R0);
    code.with(Do::Add, R7, R0);
    code.here(none);
}

fn copy_block(writer: &mut Writer<'_>, number: i16, largest: u16) {
    let none = writer.assembly.label();
    let (sized, on_success, result) =
        (writer.assembly.label(), writer.assembly.label(), writer.assembly.label());
    let code = &mut writer.assembly;
    code.load(Width::One, R1, R8, 3 + number);
    code.jump_if(If::Equal, R1, Size::None as i32, none);
    code.load(Width::Two, R2, R8, 8 + 2 * number);
    code.jump_if(If::Equal, R1, Size::Always as i32, sized);
    code.jump_if(If::NotEqual, R1, Size::Pieces as i32, on_success);
    code.load(Width::One, R1, R8, 5 + number);
    load_argument(writer, 1);
    let code = &mut writer.assembly;
    let few = code.label();
    code.copy(R2, R3);
    code.jump_if(If::Above, R2, MOST_PIECES, few);
    code.number(Do::ShiftLeft, R2, PIECE_SHIFT);
    code.jump(sized);
    code.here(few);
    code.set(R2, MOST_PIECES << PIECE_SHIFT);
    code.jump(sized);
    code.here(on_success);
    code.load(Width::Eight, R3, STACK, CALL_RESULT);
    code.jump_if(If::SignedBelow, R3, 0, none);
    code.jump_if(If::Equal, R1, Size::Result as i32, result);
    code.jump(sized);
    code.here(result);
    // What came is copied whole or not at all.
    code.copy(R1, R2);
    code.with(Do::Subtract, R1, R3);
    code.jump_if(If::SignedBelow, R1, 0, none);
    code.copy(R2, R3);
    code.here(sized);
    code.jump_if(If::Equal, R2, 0, none);
    code.jump_if(If::Above, R2, i32::from(largest), none);
    code.store(Width::Eight, STACK, KEPT, R2);
    code.load(Width::One, R1, R8, 5 + number);
    load_argument(writer, 0);
    let code = &mut writer.assembly;
    code.copy(R1, R9);
    code.with(Do::Add, R1, R7);
    code.load(Width::Eight, R2, STACK, KEPT);
    code.call(Helper::ReadUser);
    code.jump_if(If::NotEqual, R0, 0, none);
    code.load(Width::Eight, R2, STACK, KEPT);
    code.store(Width::Two, R9, LENGTHS + 4 + 2 * number, R2);
    code.with(Do::Add, R7, R2);
    code.here(none);
}
