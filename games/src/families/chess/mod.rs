//! stub
use crate::{position::Board, *};
#[derive(Debug)] pub struct Rules<const W: usize>;
impl<const W: usize> Rules<W> { pub(crate) fn start(&'static self) -> ChessPosition<W> { todo!() } pub(crate) fn parse_fen(&'static self, _t: &str) -> Result<ChessPosition<W>, FenError> { todo!() } }
#[derive(Debug, Clone, Copy)] pub struct ChessPosition<const W: usize>;
impl<const W: usize> Board for ChessPosition<W> {
 fn id(&self) -> &'static str {todo!()}
 fn side_to_move(&self) -> Side {todo!()} fn steps(&self, _into: &mut Vec<Step>) -> Option<Outcome>{todo!()} fn play(&mut self, _step: Step){todo!()} fn outcome(&self) -> Option<Outcome>{todo!()} fn foregone(&self) -> Option<Outcome>{todo!()} fn key(&self) -> Key{todo!()} fn mid_move(&self) -> bool{todo!()} fn clock(&self) -> u32{todo!()} fn count_moves(&self) -> Option<usize>{todo!()} fn write_step(&self, _step: Step, _into: &mut String){todo!()} fn write_fen(&self, _into: &mut String){todo!()} fn features(&self, _into: &mut Features){todo!()} fn material(&self, _side: Side) -> i32{todo!()} fn letter(&self, _cell: Cell) -> Option<char>{todo!()}
}
