/**
 * Package runners, such as `bun run start` or `npx bun start`. Ending one of them should end the server, but some runners don't pass the
 * signal on.
 */

/** An ancestor of this process. */
export interface Ancestor {
  readonly pid: number
  /** words of the command line, as the system shows them; npm puts its whole command line into the first word */
  readonly words: readonly string[]
}

/** Matches package runners. The executable in Bun's npm package is called `bun.exe` on every system. */
const RUNNER = /(?:^|\/)(?:bun|bunx|npm|npx|pnpm|yarn)(?:\.[cm]?js|-cli\.js|\.exe)?$/
const SHELL = /(?:^|\/)(?:sh|ash|bash|dash|zsh)$/

/**
 * Finds the package runners that started this script, and the shells between them. The server must outlive all other ancestors, such as an
 * interactive shell, a service manager, or a program that started a runner.
 * @param ancestors ancestors, beginning with the parent
 * @param script the package script that runs this process
 * @returns the ancestors from the parent up to the outermost runner; empty if no runner started this process
 */
export function launchersOf(ancestors: readonly Ancestor[], script: string): readonly Ancestor[] {
  const end = ancestors.findIndex((ancestor) => !isRunner(ancestor, script) && !isCommandShell(ancestor))
  const candidates = end < 0 ? ancestors : ancestors.slice(0, end)
  return candidates.slice(0, candidates.findLastIndex((ancestor) => isRunner(ancestor, script)) + 1)
}

function isRunner({ words }: Ancestor, script: string): boolean {
  const split = words.flatMap((word) => word.split(' '))
  // If the runner is a script, its interpreter is the first word.
  return split.slice(0, 2).some((word) => RUNNER.test(word)) && split.slice(1).includes(script)
}

function isCommandShell({ words }: Ancestor): boolean {
  return SHELL.test(words[0] ?? '') && words[1] === '-c'
}
