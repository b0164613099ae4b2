/** Formats a badge as SVG, JSON, or JSON for Shields. */
import type { BadgeFormat, BadgeStates } from '../badge-urls.ts'
import { type BadgeCounts, type BadgeStatus, badgeStatus } from './status.ts'
import { badgeSvg } from './svg.ts'

/** A badge's content, the same in every format. */
export interface Badge {
  /** user input, neither escaped nor limited in length */
  readonly label: string
  readonly counts: BadgeCounts
}

interface RenderedBadge {
  readonly type: 'image/svg+xml' | 'application/json'
  readonly body: string
}

/** Shields colour for each status, using the names listed at https://shields.io/badges/endpoint-badge. */
const SHIELDS_COLOURS: Readonly<Record<BadgeStatus, string>> = { up: 'success', late: 'important', down: 'critical' }

type Render = (badge: Badge, status: BadgeStatus) => RenderedBadge

const RENDER: Readonly<Record<BadgeFormat, Render>> = {
  svg: ({ label }, status) => ({ type: 'image/svg+xml', body: badgeSvg(label, status) }),
  json: ({ counts }, status) => json({ status, ...counts }),
  shields: ({ label }, message) => json({ schemaVersion: 1, label, message, color: SHIELDS_COLOURS[message] }),
}

export function renderBadge(badge: Badge, states: BadgeStates, format: BadgeFormat): RenderedBadge {
  return RENDER[format](badge, badgeStatus(badge.counts, states))
}

function json(value: unknown): RenderedBadge {
  return { type: 'application/json', body: JSON.stringify(value) }
}
