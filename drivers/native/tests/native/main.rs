//! The driver as a program: what it answers is held against the protocol.

#[cfg(test)]
mod answers;
#[cfg(test)]
mod calls;
#[cfg(test)]
mod conversation;
#[cfg(test)]
mod describe;
#[cfg(test)]
mod overlap;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod results;
#[cfg(test)]
mod writes;
