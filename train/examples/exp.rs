//! scratch
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use train::*;
struct P;
impl Observer for P { fn event(&self, e: &Event<'_>) { match e { Event::Generation(r) => println!("gen {} {:.1}min games {} rows {} win {} step {} pol {:.3} val {:.3} ml {:.3} grad {:.2} w {:.2} d {:.2} len {:.1} {:.0} ev/s fill {:.2} sp {:.1}s learn {:.1}s mem {:.0}", r.generation, r.seconds/60., r.games, r.rows, r.window, r.step, r.losses.policy, r.losses.value, r.losses.moves_left, r.losses.gradient, r.white, r.draws, r.length, r.evaluations_per_second, r.batch_fill, r.selfplay_seconds, r.learning_seconds, r.memory_mib), Event::Note(n) => println!("{n}"), _ => {} } } }
fn main() { let a: Vec<String> = std::env::args().collect();
 let settings = Settings::load(&PathBuf::from(&a[1]), &a[3..]).unwrap_or_else(|e| panic!("{e}"));
 let t=std::time::Instant::now();
 let s = run(&RunRequest { settings, folder: PathBuf::from(&a[2]), init_from: None }, &P, &AtomicBool::new(false)).unwrap_or_else(|e| panic!("{e}"));
 if let Some(s) = s.strength { println!("{}", s.table); } println!("{:.1}s", t.elapsed().as_secs_f64()); }
