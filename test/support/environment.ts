/** The environment of commands in tests. */

/** Adds only what a process needs to run, and the time zone; the developer's own settings don't reach the program. */
export function environment(settings: Readonly<Record<string, string>>): Record<string, string> {
  const needed = ['PATH', 'HOME', 'TMPDIR', 'TZ'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(needed), ...settings }
}
