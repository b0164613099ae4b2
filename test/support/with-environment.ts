/** The environment of processes and commands in tests. */

/** Adds only what a process needs to run, and the time zone; the developer's own settings don't reach the program. */
export function environment(settings: Readonly<Record<string, string>>): Record<string, string> {
  const needed = ['PATH', 'HOME', 'TMPDIR', 'TZ'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(needed), ...settings }
}

/**
 * Sets environment variables of this process, also its time zone, until what is returned is disposed of: other test files run
 * in the same process.
 */
export function withEnvironment(variables: Readonly<Record<string, string>>): Disposable {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, variables)
  return {
    [Symbol.dispose]() {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    },
  }
}
