/** Creates functions that build objects with many members as fast as an object literal in the source code would. */

/**
 * JavaScript expressions, keyed by member name, that can use the function's parameters. Names and expressions are constants in the source
 * code, never input.
 */
type Expressions = Readonly<Record<string, string>>

/** Returns an expression for an object literal with these members, in the same order. */
export function literalOf(members: Expressions): string {
  const entries = Object.entries(members).map(([name, expression]) => `${JSON.stringify(name)}: ${expression}`)
  return `{ ${entries.join(', ')} }`
}

/**
 * Compiles a function that returns an object with these members, in the same order. It is several times as fast as a loop over the names,
 * because the engine knows the shape of an object literal in advance.
 * @param parameters names of the function's parameters
 */
export function compileObject<Compiled extends (...given: never[]) => object>(
  parameters: readonly string[],
  members: Expressions,
): Compiled {
  return compile(parameters, literalOf(members))
}

/**
 * Compiles a function that returns the value of an expression.
 * @param parameters names of the function's parameters
 */
export function compile<Compiled extends (...given: never[]) => unknown>(
  parameters: readonly string[],
  expression: string,
): Compiled {
  return new Function(...parameters, `return ${expression}`) as Compiled
}
