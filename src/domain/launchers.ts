/**
 * Package runners, such as `bun run start` or `npx bun start`: whoever ends one of them means the server, but some end
 * without telling their child.
 */

/** A process that this one descends from. */
export interface Ancestor {
  readonly pid: number
  /** its command line, as it shows itself; npm writes all of it into the first */
  readonly words: readonly string[]
}

/** The file of Bun's npm package is called `bun.exe` on every system. */
const RUNNER = /(?:^|\/)(?:bun|bunx|npm|npx|pnpm|yarn)(?:\.[cm]?js|-cli\.js|\.exe)?$/
const SHELL = /(?:^|\/)(?:sh|ash|bash|dash|zsh)$/

/**
 * Only runners that were told this very script, and the shells that stand between them: a shell that somebody types into, a
 * service manager, or another program that has started a runner may end, and the server goes on.
 * @param ancestors the parent first
 * @param script name of the package script that runs this process
 * @returns the first ancestors, as many as make up the launcher; none where no runner started us
 */
export function launchersOf(ancestors: readonly Ancestor[], script: string): readonly Ancestor[] {
  const end = ancestors.findIndex((ancestor) => !isRunner(ancestor, script) && !isCommandShell(ancestor))
  const candidates = end < 0 ? ancestors : ancestors.slice(0, end)
  return candidates.slice(0, candidates.findLastIndex((ancestor) => isRunner(ancestor, script)) + 1)
}

function isRunner({ words }: Ancestor, script: string): boolean {
  const split = words.flatMap((word) => word.split(' '))
  // A runner that is a script itself comes behind the name of its interpreter.
  return split.slice(0, 2).some((word) => RUNNER.test(word)) && split.slice(1).includes(script)
}

/** One that was started to run a command. */
function isCommandShell({ words }: Ancestor): boolean {
  return SHELL.test(words[0] ?? '') && words[1] === '-c'
}
