"""Writing LLVM as text: functions, modules, and what every function can do."""
