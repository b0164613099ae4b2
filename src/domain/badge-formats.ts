/** A badge in each of its formats. */
import { type BadgeCounts, type BadgeStates, type BadgeStatus, badgeStatus } from './badge-status.ts'
import { badgeSvg } from './badge-svg.ts'

/** What a badge says, in whatever format. */
export interface Badge {
  /** as a person wrote it: neither escaped nor bounded */
  readonly label: string
  readonly counts: BadgeCounts
}

export interface RenderedBadge {
  readonly type: 'image/svg+xml' | 'application/json'
  readonly body: string
}

/** Names of colours that https://shields.io/badges/endpoint-badge knows. */
const SHIELDS_COLOURS: Readonly<Record<BadgeStatus, string>> = { up: 'success', late: 'important', down: 'critical' }

type Render = (badge: Badge, status: BadgeStatus) => RenderedBadge

const FORMATS: ReadonlyMap<string, Render> = new Map<string, Render>([
  ['svg', ({ label }, status) => ({ type: 'image/svg+xml', body: badgeSvg(label, status) })],
  ['json', ({ counts }, status) => json({ status, ...counts })],
  ['shields', ({ label }, message) => json({ schemaVersion: 1, label, message, color: SHIELDS_COLOURS[message] })],
])

/** @returns null when there is no such format */
export function renderBadge(badge: Badge, states: BadgeStates, format: string): RenderedBadge | null {
  return FORMATS.get(format)?.(badge, badgeStatus(badge.counts, states)) ?? null
}

function json(value: unknown): RenderedBadge {
  return { type: 'application/json', body: JSON.stringify(value) }
}
