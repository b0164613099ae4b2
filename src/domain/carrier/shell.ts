/** A command on the operator's machine and its result; `delivery/shell.ts` runs it. */

export interface ShellCommand {
  /** argument of `/bin/sh -c` */
  readonly command: string
}

export type ShellAnswer =
  /** status 0…255 */
  | { readonly kind: 'exited'; readonly status: number }
  /** the command could not be started, or did not end in time */
  | { readonly kind: 'aborted'; readonly error: string }

/** Runs a command. Never throws, and always settles. */
export type ShellRunner = (command: ShellCommand) => Promise<ShellAnswer>
