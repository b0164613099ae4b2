/** A command to run on the operator's machine, and its result. `delivery/shell.ts` runs the command. */

export interface ShellCommand {
  /** argument of `/bin/sh -c` */
  readonly command: string
}

export type ShellAnswer =
  /** exit status, 0 to 255 */
  | { readonly kind: 'exited'; readonly status: number }
  /** the command could not be started, or was still running when its time limit expired */
  | { readonly kind: 'aborted'; readonly error: string }

/** Runs a command. Failures are returned, never thrown. */
export type ShellRunner = (command: ShellCommand) => Promise<ShellAnswer>
