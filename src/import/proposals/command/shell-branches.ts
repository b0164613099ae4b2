/** Finds the branches of an `if` or a `case`. */
import { withoutOpeners } from './job-name.ts'
import type { ShellCommand } from './shell-commands.ts'

export interface ShellBranches {
  /** the commands of each branch; a branch without commands represents input that no branch matches */
  readonly branches: readonly (readonly ShellCommand[])[]
  readonly behind: readonly ShellCommand[]
}

/** Keywords that begin a block, each with the keyword that ends it. */
const BLOCKS: Readonly<Record<string, string>> = {
  if: 'fi',
  for: 'done',
  while: 'done',
  until: 'done',
  case: 'esac',
  '{': '}',
}
/** Keywords that end a block. */
export const CLOSERS = new Set(Object.values(BLOCKS))

/** Returns the number of blocks that a command begins, minus the number of blocks that it ends. */
export function blocksIn({ words }: ShellCommand): number {
  const begun = keywordsOf(words).filter((word) => Object.hasOwn(BLOCKS, word)).length
  return begun - (CLOSERS.has(words[0] ?? '') ? 1 : 0)
}

/** Returns the words that cannot be part of a simple command, such as `then if` in `then if [ … ]`, and the first word after them. */
const keywordsOf = (words: readonly string[]) => words.slice(0, words.length - withoutOpeners(words).length + 1)

/** @param at index of the command with `if` or `case` @returns null if the command has no branches */
export function branchesAt(commands: readonly ShellCommand[], at: number): ShellBranches | null {
  const opener = keywordsOf(commands[at]?.words ?? []).findLast((word) => word === 'if' || word === 'case')
  if (opener === undefined) return null
  const branches: ShellCommand[][] = []
  let current: ShellCommand[] | null = null
  let isComplete = false
  let open = 1
  let end = at + 1
  for (; end < commands.length; end++) {
    const command = commands[end] as ShellCommand
    const [first = ''] = command.words
    if (open + blocksIn(command) === 0) break
    if (open === 1 && (first === 'elif' || isBranch(command, opener))) {
      current = first === 'elif' ? null : []
      if (current !== null) branches.push(current)
      isComplete ||= first === 'else' || command.patterns.includes('*')
    }
    open += blocksIn(command)
    current?.push(command)
  }
  return { branches: isComplete ? branches : [...branches, []], behind: commands.slice(end + 1) }
}

function isBranch({ words, patterns }: ShellCommand, opener: string): boolean {
  return opener === 'case' ? patterns.length > 0 : words[0] === 'then' || words[0] === 'else'
}
