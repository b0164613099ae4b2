/** Finds the runs in a log. All times and durations are in milliseconds. */

import type { Stretch } from '../stretch.ts'
import { SECOND } from '../units.ts'
import type { AdvisedPing } from './facts.ts'

/** A success or failure that the job reported, with its start if there was one. */
export interface Run {
  readonly ping: AdvisedPing
  /** time of the start; equal to `ended` if there was no start */
  readonly began: number
  readonly ended: number
  /** time from start to end; null if there was no start */
  readonly duration: number | null
  readonly hasFailed: boolean
}

/** Returns the runs in the order in which they ended, oldest first. */
export function runsOf(log: readonly AdvisedPing[]): readonly Run[] {
  // A job sends the same user agent every time.
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

/** Whether a person or a link previewer opened the ping URL. */
export function isByHand({ userAgent }: AdvisedPing): boolean {
  return isOfPeople(userAgent)
}

function isOfPeople(userAgent: string): boolean {
  return isBrowser(userAgent) || linkPreview(userAgent) !== null
}

const BROWSERS = /Chrome\/|Firefox\/|Safari\/|Edg\/|OPR\//
/** Matches the user agents of scripts that pretend to be browsers. */
const SCRIPTED = /PowerShell|Headless/

export function isBrowser(userAgent: string): boolean {
  return userAgent.startsWith('Mozilla/5.0 ') && BROWSERS.test(userAgent) && !SCRIPTED.test(userAgent)
}

const LINK_PREVIEWS =
  /Slackbot|Slack-ImgProxy|Twitterbot|facebookexternalhit|WhatsApp|TelegramBot|Discordbot|SkypeUriPreview|LinkedInBot|redditbot|Iframely|Embedly|BingPreview|DashLinkPreviews|Applebot|Mattermost-Bot|MicrosoftPreview|Google-PageRenderer/

/** Returns the name of the link previewer; null for any other user agent. */
export function linkPreview(userAgent: string): string | null {
  return LINK_PREVIEWS.exec(userAgent)?.[0] ?? null
}

/** Minimum fraction of runs with a start. If fewer have one, the user was probably only trying out start signals. */
const SHARE_WITH_STARTS = 0.8

export function haveStarts(runs: readonly Run[]): boolean {
  const timed = runs.filter(({ duration }) => duration !== null)
  return timed.length > 0 && timed.length >= runs.length * SHARE_WITH_STARTS
}

/** Number of newest intervals to use. Older ones show how the job used to run. */
const DISTANCES_READ = 20

/**
 * Returns the intervals between the starts of consecutive runs, oldest first. Omits intervals that include a pause or an outage, and
 * intervals after a failure, because the job may have been retried.
 * @param runs the runs since the settings were last changed
 */
export function distancesOf(runs: readonly Run[], away: readonly Stretch[]): readonly number[] {
  const distances = runs.flatMap((run, index) => {
    const previous = runs[index - 1]
    const counts = previous && !previous.hasFailed && !isInterrupted(away, previous.began, run.began)
    return counts ? [run.began - previous.began] : []
  })
  return distances.slice(-DISTANCES_READ)
}

/** Whether a pause or an outage overlaps the interval between the two times. */
export function isInterrupted(away: readonly Stretch[], from: number, until: number): boolean {
  return away.some((stretch) => stretch.from < until && stretch.until > from)
}
