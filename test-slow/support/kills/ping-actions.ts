/** Kinds of pings that a load sends. */
import type { SentPing } from './violations.ts'

export interface PingAction extends Pick<SentPing, 'kind' | 'exitStatus' | 'asks'> {
  /** part of the path after the check; it may have a query */
  readonly path: string
}

export const SUCCESS: PingAction = { path: '', kind: 'success', exitStatus: null, asks: null }
export const START: PingAction = { ...SUCCESS, path: '/start', kind: 'start' }
export const LOG: PingAction = { ...SUCCESS, path: '/log', kind: 'log' }
export const FAILURES: readonly PingAction[] = [
  { ...SUCCESS, path: '/fail', kind: 'fail' },
  { ...SUCCESS, path: '/37', kind: 'fail', exitStatus: 37 },
]
export const SILENCES: readonly PingAction[] = [
  { ...LOG, path: '/silence?for=1m', asks: 'silence' },
  { ...LOG, path: '/silence?until=healthy', asks: 'silence until healthy' },
  { ...LOG, path: '/unsilence', asks: 'unsilence' },
  { ...LOG, path: '/unsilence', asks: 'unsilence' },
]
