/** The runs that a log shows. All times and durations are milliseconds. */

import type { Stretch } from '../stretch.ts'
import { SECOND } from '../units.ts'
import type { AdvisedPing } from './facts.ts'

/** A success or fail that the job sent, with its start if one is paired. */
export interface Run {
  readonly ping: AdvisedPing
  /** time of its start; without one the same as `ended` */
  readonly began: number
  readonly ended: number
  /** null without a start */
  readonly duration: number | null
  readonly hasFailed: boolean
}

/** Returns runs in the order in which they ended, oldest first. */
export function runsOf(log: readonly AdvisedPing[]): readonly Run[] {
  // A job sends the same user agent each time.
  const userAgents = new Set(log.map(({ userAgent }) => userAgent))
  const ofJobs = new Set([...userAgents].filter((userAgent) => !isOfPeople(userAgent)))
  return log.filter((ping) => isEnd(ping) && ofJobs.has(ping.userAgent)).map(runOf)
}

export function isEnd({ kind }: AdvisedPing): boolean {
  return kind === 'success' || kind === 'fail'
}

function runOf(ping: AdvisedPing): Run {
  const duration = ping.duration === null ? null : Math.round(ping.duration * SECOND)
  return { ping, began: ping.at - (duration ?? 0), ended: ping.at, duration, hasFailed: ping.kind === 'fail' }
}

/** Whether a person, or a program that previews links, opened the ping URL. */
export function isByHand({ userAgent }: AdvisedPing): boolean {
  return isOfPeople(userAgent)
}

function isOfPeople(userAgent: string): boolean {
  return isBrowser(userAgent) || linkPreview(userAgent) !== null
}

const BROWSERS = /Chrome\/|Firefox\/|Safari\/|Edg\/|OPR\//
/** Programs with a browser's user agent that jobs use. */
const SCRIPTED = /PowerShell|Headless/

export function isBrowser(userAgent: string): boolean {
  return userAgent.startsWith('Mozilla/5.0 ') && BROWSERS.test(userAgent) && !SCRIPTED.test(userAgent)
}

const LINK_PREVIEWS =
  /Slackbot|Slack-ImgProxy|Twitterbot|facebookexternalhit|WhatsApp|TelegramBot|Discordbot|SkypeUriPreview|LinkedInBot|redditbot|Iframely|Embedly|BingPreview|DashLinkPreviews|Applebot|Mattermost-Bot|MicrosoftPreview|Google-PageRenderer/

/** Returns the name of the program that previews a link; null for any other. */
export function linkPreview(userAgent: string): string | null {
  return LINK_PREVIEWS.exec(userAgent)?.[0] ?? null
}

/** A smaller share has durations by chance: somebody tried starts. */
const SHARE_WITH_STARTS = 0.8

export function haveStarts(runs: readonly Run[]): boolean {
  const timed = runs.filter(({ duration }) => duration !== null)
  return timed.length > 0 && timed.length >= runs.length * SHARE_WITH_STARTS
}

/** Older distances show how the job ran in the past. */
const DISTANCES_READ = 20

/**
 * Returns the times from the beginning of a run to the beginning of the next, oldest first. Omits times across a stretch in which no run
 * is judged, and times after a failure, which may have been retried.
 * @param runs the runs under the present settings
 */
export function distancesOf(runs: readonly Run[], away: readonly Stretch[]): readonly number[] {
  const distances = runs.flatMap((run, index) => {
    const previous = runs[index - 1]
    const counts = previous && !previous.hasFailed && !isInterrupted(away, previous.began, run.began)
    return counts ? [run.began - previous.began] : []
  })
  return distances.slice(-DISTANCES_READ)
}

/** Whether a stretch in which no run is judged overlaps the time between the two moments. */
export function isInterrupted(away: readonly Stretch[], from: number, until: number): boolean {
  return away.some((stretch) => stretch.from < until && stretch.until > from)
}
