/** Default image of the containers that ping for a CronJob. It contains curl and sh. */
export const CURL_IMAGE = 'docker.io/curlimages/curl:8.11.1'
