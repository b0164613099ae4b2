/** The intervals at which reports can be sent by email. */
export const REPORT_PERIODS = ['daily', 'weekly', 'monthly'] as const
export type ReportPeriod = (typeof REPORT_PERIODS)[number]
