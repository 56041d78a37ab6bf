interface Area {
  /** Without the plus. */
  readonly dial: string
  /** IANA name. */
  readonly zone: string
  /** The codes after the dial code, separated by spaces. */
  readonly codes: string
}

/**
 * Area codes of countries with several time zones. Omitted: codes that span two zones, and mobiles without an area.
 * North America: google/libphonenumber's `timezones/map_data.txt` (Apache-2.0) where all rows of an area code agree,
 * without overlays of codes where they do not, and with three corrections (689 is Orlando's, 474 Saskatchewan's, 907
 * Alaska's but for the far islands). The others: national numbering plans (ITU-T E.129).
 */
const areas: readonly Area[] = [
  { dial: '1', zone: 'America/Anchorage', codes: '907' },
  {
    dial: '1',
    zone: 'America/Chicago',
    codes: `
      205 210 214 217 218 224 225 228 235 251 254 256 262 274 281 309 312 314 316 318 319 320 325 327 331
      334 337 346 353 361 402 405 409 414 417 430 432 447 464 469 479 501 504 507 512 515 531 534 539 557
      563 572 573 580 601 608 612 615 618 629 630 636 641 651 659 660 662 682 708 712 713 715 726 730 731
      737 763 769 773 779 806 815 816 817 830 832 847 870 872 901 903 913 918 920 931 936 938 940 945 952
      956 972 975 979 985
    `,
  },
  { dial: '1', zone: 'America/Denver', codes: '303 307 385 406 435 505 575 719 720 748 801 915 970 983' },
  { dial: '1', zone: 'America/Edmonton', codes: '368 403 587 780 825' },
  { dial: '1', zone: 'America/Halifax', codes: '428 506 782 902' },
  {
    dial: '1',
    zone: 'America/Los_Angeles',
    codes: `
      206 209 213 253 279 310 323 341 350 360 369 408 415 424 425 442 503 509 510 530 559 562 564 619 626
      628 650 657 661 669 702 707 714 725 738 747 760 805 818 820 831 840 858 909 916 925 949 951 971
    `,
  },
  {
    dial: '1',
    zone: 'America/New_York',
    codes: `
      201 202 203 207 212 215 216 220 223 227 229 231 234 239 240 248 252 260 267 269 272 276 283 301 302
      304 305 313 315 317 321 324 326 329 330 332 336 339 347 351 352 363 380 386 401 404 407 410 412 413
      419 434 440 443 445 463 470 472 475 478 484 502 508 513 516 517 518 540 551 561 567 570 571 582 585
      586 603 607 609 610 614 616 617 631 640 645 646 656 667 678 680 681 686 689 703 704 706 716 717 718
      724 727 728 732 734 740 743 754 757 762 765 770 771 772 774 781 786 802 803 804 810 813 814 821 826
      828 835 838 839 843 845 848 854 856 857 859 860 862 863 864 865 878 904 908 910 912 914 917 919 929
      934 937 941 943 947 948 954 959 973 978 980 984 989
    `,
  },
  { dial: '1', zone: 'America/Phoenix', codes: '480 520 602 623' },
  { dial: '1', zone: 'America/Regina', codes: '306 474 639' },
  {
    dial: '1',
    zone: 'America/Toronto',
    codes: `
      226 249 263 289 343 354 365 367 382 416 437 438 450 468 514 519 548 579 581 613 647 683 705 742 753
      819 873 905 942
    `,
  },
  { dial: '1', zone: 'America/Vancouver', codes: '604' },
  { dial: '1', zone: 'America/Winnipeg', codes: '204 431 584' },
  { dial: '1', zone: 'Pacific/Honolulu', codes: '808' },
  { dial: '61', zone: 'Australia/Sydney', codes: '2' },
  { dial: '61', zone: 'Australia/Melbourne', codes: '3' },
  { dial: '61', zone: 'Australia/Brisbane', codes: '7' },
  { dial: '61', zone: 'Australia/Adelaide', codes: '87 88' },
  { dial: '61', zone: 'Australia/Darwin', codes: '879 889' },
  { dial: '61', zone: 'Australia/Perth', codes: '86 89' },
  {
    dial: '55',
    zone: 'America/Sao_Paulo',
    codes: `
      11 12 13 14 15 16 17 18 19 21 22 24 27 28 31 32 33 34 35 37 38 41 42 43 44 45 46 47 48 49 51 53 54
      55 61 62 63 64 71 73 74 75 77 79 81 82 83 84 85 86 87 88 89 91 93 94 96 98 99
    `,
  },
  { dial: '55', zone: 'America/Manaus', codes: '65 66 67 69 92 95' },
  { dial: '55', zone: 'America/Rio_Branco', codes: '68' },
  {
    dial: '56',
    zone: 'America/Santiago',
    codes: `
      2 32 33 34 35 41 42 43 44 45 51 52 53 55 57 58 63 64 65 71 72 73 75
    `,
  },
  { dial: '56', zone: 'America/Punta_Arenas', codes: '61' },
  { dial: '593', zone: 'America/Guayaquil', codes: '2 3 4 6 7' },
  {
    dial: '34',
    zone: 'Europe/Madrid',
    codes: `
      81 83 84 85 86 87 88 91 93 94 95 96 97 98 820 821 823 824 825 826 827 829 920 921 923 924 925 926
      927 929
    `,
  },
  { dial: '34', zone: 'Atlantic/Canary', codes: '822 828 922 928' },
  { dial: '351', zone: 'Europe/Lisbon', codes: '21 22 23 24 25 26 27 28 291' },
  { dial: '351', zone: 'Atlantic/Azores', codes: '292 295 296' },
  { dial: '64', zone: 'Pacific/Auckland', codes: '2 3 4 6 7 9' },
  { dial: '64', zone: 'Pacific/Chatham', codes: '3305' },
  {
    dial: '62',
    zone: 'Asia/Jakarta',
    codes: '21 22 23 24 25 26 27 28 29 31 32 33 34 35 53 56 6 7 513 515 519 522 525 528',
  },
  { dial: '62', zone: 'Asia/Makassar', codes: '36 37 38 4 54 55 511 512 514 517 518 527' },
  { dial: '62', zone: 'Asia/Jayapura', codes: '9' },
  {
    dial: '52',
    zone: 'America/Mexico_City',
    codes: `
      33 55 56 81 222 228 229 246 271 312 322 442 443 444 449 461 462 477 492 614 618 722 729 744 771 777
      833 834 844 871 921 951 961 962 993 999
    `,
  },
  { dial: '52', zone: 'America/Tijuana', codes: '646 661 664 665 686' },
  { dial: '52', zone: 'America/Hermosillo', codes: '622 631 642 644 662' },
  { dial: '52', zone: 'America/Mazatlan', codes: '311 612 624 667 668 669' },
  { dial: '52', zone: 'America/Cancun', codes: '983 984 987 998' },
  { dial: '52', zone: 'America/Ciudad_Juarez', codes: '656' },
  { dial: '52', zone: 'America/Matamoros', codes: '867 868 899' },
  { dial: '7', zone: 'Europe/Kaliningrad', codes: '401' },
  {
    dial: '7',
    zone: 'Europe/Moscow',
    codes: `
      495 496 498 499 811 812 813 814 815 816 817 818 820 821 831 833 834 835 836 841 843 844 847 855 861
      862 863 865 866 867 871 872 873 877 878 879 471 472 473 474 475 481 482 483 484 485 486 487 491 492
      493 494
    `,
  },
  { dial: '7', zone: 'Europe/Samara', codes: '341 842 846 848 851' },
  { dial: '7', zone: 'Europe/Saratov', codes: '845' },
  { dial: '7', zone: 'Asia/Yekaterinburg', codes: '342 343 345 346 347 349 351 352 353' },
  { dial: '7', zone: 'Asia/Omsk', codes: '381' },
  { dial: '7', zone: 'Asia/Novosibirsk', codes: '382 383 385 388' },
  { dial: '7', zone: 'Asia/Krasnoyarsk', codes: '384 390 391 394' },
  { dial: '7', zone: 'Asia/Irkutsk', codes: '301 395' },
  { dial: '7', zone: 'Asia/Yakutsk', codes: '302 416' },
  { dial: '7', zone: 'Asia/Vladivostok', codes: '421 423 426' },
  { dial: '7', zone: 'Asia/Magadan', codes: '413 424' },
  { dial: '7', zone: 'Asia/Kamchatka', codes: '415 427' },
]

const zones = new Map<string, string>()

function zonesByPrefix(): ReadonlyMap<string, string> {
  if (zones.size === 0) {
    for (const { dial, zone, codes } of areas) {
      for (const code of codes.trim().split(/\s+/)) zones.set(dial + code, zone)
    }
  }
  return zones
}

const longestPrefix = 7

/**
 * Time zone of a number's area; a mobile may be elsewhere.
 * @param number partial or full E.164, with or without the plus
 * @returns an IANA name; undefined if the digits do not determine the zone
 */
export function areaZone(number: string): string | undefined {
  const digits = number.replace('+', '')
  for (let length = Math.min(longestPrefix, digits.length); length > 0; length -= 1) {
    const zone = zonesByPrefix().get(digits.slice(0, length))
    if (zone !== undefined) return zone
  }
  return undefined
}
