/**
 * Returns the statement with SQLite's numbered parameters. SQLite treats `$1` as a name and numbers names by their first appearance, while
 * `?1` is always the first parameter. The plus sign changes no value but hides the parameter from the planner. If a join uses a bare
 * parameter, SQLite recompiles the statement whenever a value is bound, in case a different plan is better for that value. Recompiling
 * takes ten times as long as reading a check.
 */
export function withNumberedParameters(statement: string): string {
  return statement.replace(/\$(\d+)/g, '+?$1')
}
