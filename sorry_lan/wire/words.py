"""The 256 words of join codes and check words, one a byte; protocol/words.txt is the normative list ([F-8]).

Chosen to be told apart over a bad line: any two differ in their first four letters and by two letters at least.
"""

from __future__ import annotations

from typing import Final

WORDS: Final[tuple[str, ...]] = tuple(
    """
    acorn actor alarm album alley amber anchor angle apple apron arrow atlas attic autumn bacon badge bagel
    baker bamboo banana basket beach beaver berry bishop bottle branch breeze brick bridge bronze bubble
    bucket butter cabin cactus camel candle canyon carpet carrot castle cello chalk cherry chess circle clock
    cloud clover coffee copper coral cotton cousin crayon crown daisy dancer desert dinner doctor domino
    donkey dragon drawer driver eagle earth elbow engine fabric falcon farmer fence fiddle field finger flame
    flute forest fossil frost fruit galaxy garden garlic gate giant glove goblet goose grape gravel guitar
    hammer helmet heron hobby honey hotel house icicle igloo insect island ivory jacket jaguar jelly jigsaw
    jockey juice jungle kayak kernel kettle kitten koala ladder lagoon lamp laser lemon letter lion lizard
    lotus lunch lyric magnet mango maple marble market meadow melon mirror muffin museum music napkin nature
    nectar needle nickel noodle north novel nurse nutmeg oasis ocean olive onion orange orbit orchid otter
    oxygen oyster paddle palace panda paper peanut pebble pencil pepper piano picnic pigeon pillow pilot
    pirate planet pocket poppy prism puzzle python quartz quilt quiz rabbit radar radio raft raven ribbon
    robin robot rope ruby rudder salad salmon sandal saturn scarf school season shadow shell silver sketch
    slate soap sofa sonnet spider spoon spring square stable statue stone storm sugar summer sunset swan syrup
    teapot temple tennis ticket tiger timber toast tomato topaz tower tulip tunnel turtle umpire velvet vessel
    violin voyage wafer wagon walnut window winter wolf wonder yacht yeast yellow zebra zenith zigzag zipper
    zodiac
    """.split()  # noqa: SIM905 - one word a line would bury the file
)
"""Lower-case ASCII words of 4 to 6 letters, ascending; the place of a word is its byte."""
