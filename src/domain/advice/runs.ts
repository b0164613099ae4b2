/** Finds the runs in a log. All times and durations are milliseconds. */

import type { Stretch } from '../stretch.ts'
import { SECOND } from '../units.ts'
import type { AdvisedPing } from './facts.ts'

/** A success or failure that the job reported, and its start if there is one. */
export interface Run {
  readonly ping: AdvisedPing
  /** time of the start; the same as `ended` if there was no start */
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

/** Whether a person, or a program that previews links, opened the ping URL. */
export function isByHand({ userAgent }: AdvisedPing): boolean {
  return isOfPeople(userAgent)
}

function isOfPeople(userAgent: string): boolean {
  return isBrowser(userAgent) || linkPreview(userAgent) !== null
}

const BROWSERS = /Chrome\/|Firefox\/|Safari\/|Edg\/|OPR\//
/** Matches user agents of scripts that look like browsers. */
const SCRIPTED = /PowerShell|Headless/

export function isBrowser(userAgent: string): boolean {
  return userAgent.startsWith('Mozilla/5.0 ') && BROWSERS.test(userAgent) && !SCRIPTED.test(userAgent)
}

const LINK_PREVIEWS =
  /Slackbot|Slack-ImgProxy|Twitterbot|facebookexternalhit|WhatsApp|TelegramBot|Discordbot|SkypeUriPreview|LinkedInBot|redditbot|Iframely|Embedly|BingPreview|DashLinkPreviews|Applebot|Mattermost-Bot|MicrosoftPreview|Google-PageRenderer/

/** Returns the name of a program that shows previews of links; null for any other user agent. */
export function linkPreview(userAgent: string): string | null {
  return LINK_PREVIEWS.exec(userAgent)?.[0] ?? null
}

/** Minimum share of runs with a start. If there are fewer, somebody was only trying out starts. */
const SHARE_WITH_STARTS = 0.8

export function haveStarts(runs: readonly Run[]): boolean {
  const timed = runs.filter(({ duration }) => duration !== null)
  return timed.length > 0 && timed.length >= runs.length * SHARE_WITH_STARTS
}

/** Number of distances that are read. Older ones show how the job ran in the past. */
const DISTANCES_READ = 20

/**
 * Returns the times from the start of each run to the start of the next, oldest first. Omits times that include a pause or an outage, and
 * times after a failure, which may have been retried.
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

/** Whether a pause or an outage overlaps the time between the two moments. */
export function isInterrupted(away: readonly Stretch[], from: number, until: number): boolean {
  return away.some((stretch) => stretch.from < until && stretch.until > from)
}
