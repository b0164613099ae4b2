/** Creates functions that build objects with many members as fast as an object literal in the source. */

/** JavaScript expressions over the parameters, by member. Names and expressions are constants in the source, never input. */
type Expressions = Readonly<Record<string, string>>

/** Returns the expression of an object with these members, in their order. */
export function literalOf(members: Expressions): string {
  const entries = Object.entries(members).map(([name, expression]) => `${JSON.stringify(name)}: ${expression}`)
  return `{ ${entries.join(', ')} }`
}

/**
 * Compiles a function that returns an object with these members, in their order. A loop over the names would take several times as long:
 * the engine knows the shape of a literal before it runs.
 * @param parameters names of the function's parameters
 */
export function compileObject<Compiled extends (...given: never[]) => object>(
  parameters: readonly string[],
  members: Expressions,
): Compiled {
  return compile(parameters, literalOf(members))
}

/** Compiles a function that returns the value of an expression. @param parameters names of the function's parameters */
export function compile<Compiled extends (...given: never[]) => unknown>(
  parameters: readonly string[],
  expression: string,
): Compiled {
  return new Function(...parameters, `return ${expression}`) as Compiled
}
