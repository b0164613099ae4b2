/** The words in which a command of the operator's machine and its end are told; running it is `delivery/shell.ts`. */

export interface ShellCommand {
  /** for `/bin/sh -c` */
  readonly command: string
}

export type ShellAnswer =
  /** status 0…255 */
  | { readonly kind: 'exited'; readonly status: number }
  /** it could not be started, or did not end in time */
  | { readonly kind: 'aborted'; readonly error: string }

/** Runs a command. Never throws, and has an end. */
export type ShellRunner = (command: ShellCommand) => Promise<ShellAnswer>
