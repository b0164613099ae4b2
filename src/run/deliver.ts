/** Hands the pings of a run over, without delaying or failing its command. */
import type { Answer, RunPing } from './ping.ts'

/** Never throws, and waits only for a bounded time. */
export interface Courier {
  /**
   * Hands a ping over after those of the same check before it: a start is tried once, others a few times. The answer to
   * one that waits on disk is `away`.
   */
  send(ping: RunPing): Promise<Answer>
  /** Resolves when all pings are taken, refused or on disk, at most some seconds after the last one was sent. */
  finish(): Promise<void>
}
