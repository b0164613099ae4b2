/** Functions that create objects with many members as quickly as a literal in the source does. */

/** JavaScript expressions over the parameters, by member. Both are constants of the program, and never come from outside. */
type Expressions = Readonly<Record<string, string>>

/** Returns the expression of an object with these members, in their order. */
export function literalOf(members: Expressions): string {
  const entries = Object.entries(members).map(([name, expression]) => `${JSON.stringify(name)}: ${expression}`)
  return `{ ${entries.join(', ')} }`
}

/**
 * Compiles a function that returns an object with these members, in their order. A loop over the names would take several times
 * as long: the engine knows the shape of a literal before it runs.
 * @param parameters names
 */
export function compileObject<Compiled extends (...given: never[]) => object>(
  parameters: readonly string[],
  members: Expressions,
): Compiled {
  return compile(parameters, literalOf(members))
}

/** Compiles a function that returns the value of an expression. @param parameters names */
export function compile<Compiled extends (...given: never[]) => unknown>(
  parameters: readonly string[],
  expression: string,
): Compiled {
  return new Function(...parameters, `return ${expression}`) as Compiled
}
