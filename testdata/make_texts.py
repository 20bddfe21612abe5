"""Write texts.csv: 72 short messages to a public library with numbers that describe their words.

    python3 make_texts.py [OUTPUT]

The messages were written for this file and describe nobody. Their embedding is TF-IDF reduced to 12 dimensions (the leading
eigenvectors of the Gram matrix, as in latent semantic analysis). Only the standard library is used.
"""

import csv
import math
import re
import sys
from pathlib import Path

N_DIMENSIONS = 12

# Words that say nothing about the subject of a message.
COMMON = set(
    "a about after all also am an and any are as at be because been before but by can could did do does for from get had has have "
    "how i if in is it its just like me more my no not now of on one only or our out over please so some still than that the "
    "their them then there they this to too two up us very was we were what when where which who will with would you your".split()
)

MESSAGES = {
    "loans": [
        ("Renew three novels", "Could you renew the three novels on my card? I need another week to finish reading them."),
        ("Renewal refused", "The website refused to renew my book because somebody reserved it. When must I return it?"),
        ("Late return", "I returned two books late and the machine shows a fee of four euros. Can I pay it by card?"),
        ("Fee after holiday", "The library was closed on the holiday, yet I was charged a late fee for that day. Please cancel the fee."),
        ("Book shown as missing", "My account says a book is overdue, but I put it in the return box last Monday."),
        ("Lost a picture book", "My daughter lost a picture book we borrowed. Do I pay the price of the book or bring a new copy?"),
        ("Loan period for films", "How long may I borrow films, and can I renew the loan once?"),
        ("More than ten books", "I would like to borrow fifteen books for a course. Is the limit of ten books fixed?"),
        ("Return in another branch", "May I return books borrowed at the main library in the branch near the station?"),
    ],
    "reservations": [
        ("Place in the queue", "I reserved the new crime novel in March. What is my place in the queue?"),
        ("Reservation expired", "My reservation expired while I was travelling. Could you put me back at the front of the queue?"),
        ("Cancel reservations", "Please cancel both reservations on my account; I bought the books."),
        ("Reserve from the branch", "Can I reserve a title held in another branch and collect it here?"),
        ("No notice of arrival", "Nobody sent me a notice that my reserved title had arrived, and now it has gone back."),
        ("Reserve a magazine", "Is it possible to reserve the current issue of a magazine?"),
        ("Interlibrary request", "I need an article that only the university holds. Can you request it for me, and what does a request cost?"),
        ("Collecting for my mother", "May I collect the reserved titles of my mother with her card?"),
        ("Two copies for a club", "Our reading club would like to reserve eight copies of the same title for October."),
    ],
    "computers": [
        ("Printer out of paper", "The printer on the second floor was out of paper again, and my coins were not returned."),
        ("Print from my phone", "How do I print a document from my phone? The printer does not appear in the list."),
        ("Wireless password", "The wireless network asks for a password that the desk could not tell me."),
        ("Slow network", "The wireless network was so slow today that video calls broke off every few minutes."),
        ("Scanner settings", "The scanner saves every page as a separate file. Is there a setting for one document?"),
        ("Booked computer taken", "I booked a computer for two o'clock, but another visitor was logged in and would not leave."),
        ("Large screen for a presentation", "Is there a computer with a large screen where I can practise a presentation?"),
        ("Cannot log in", "I cannot log in to the computers with the number of my card and my password."),
        ("Software for drawing", "Which computers have software for technical drawing, and may I save files to a stick?"),
    ],
    "rooms": [
        ("Book a study room", "I would like to book a study room for four students on Thursday afternoon."),
        ("Room was locked", "We had booked the small meeting room, but the door was locked and nobody had the key."),
        ("Noise in the reading room", "People talk on the phone in the reading room although there are signs. Could staff walk through more often?"),
        ("Cold in the reading room", "The reading room is so cold in the morning that I keep my coat on."),
        ("More sockets", "There are too few sockets at the tables; by noon every seat near one is taken."),
        ("Hall for a concert", "Can our choir rent the hall for a small concert, and is there a piano?"),
        ("Group work", "Where may groups talk? The study rooms are always full in the weeks before exams."),
        ("Chairs hurt", "The new chairs at the window tables hurt my back. Are there other chairs I could use?"),
        ("Cancel a room", "Please cancel our study room on Friday; the group meets elsewhere."),
    ],
    "children": [
        ("Story time on Saturday", "At what time does story time begin on Saturday, and must children be registered?"),
        ("Story time in Turkish", "Will there be story time in Turkish again? My children loved it last spring."),
        ("Class visit", "I teach a third class and would like to visit with twenty-four children in May."),
        ("Holiday workshop full", "The robot workshop for children in the holidays is full. Is there a waiting list?"),
        ("Craft afternoon", "Thank you for the craft afternoon. The children still talk about the paper dragons."),
        ("Games for small children", "Could the shelf of games for small children be lower? They cannot reach the boxes."),
        ("Age for a card", "From what age may children have their own card without a parent?"),
        ("Reading list for holidays", "Is there a reading list for children of ten years who like animals?"),
        ("Babysitter brings the children", "May our babysitter bring the children to the puppet theatre without us?"),
    ],
    "events": [
        ("Tickets for the reading", "Are there tickets left for the author reading on Friday evening?"),
        ("Lecture recorded", "Was the lecture on the history of the harbour recorded? I had to miss it."),
        ("Reading with sign language", "Will the next author reading have a sign language interpreter?"),
        ("Language café", "I would like to help at the language café. Do volunteers need to speak several languages?"),
        ("Exhibition of maps", "Until when can the exhibition of old maps be seen, and are there guided tours?"),
        ("Chess evening", "Does the chess evening take place in the summer, and can beginners come?"),
        ("Film night sound", "At film night the sound was so low that the back rows understood nothing."),
        ("Suggest a lecture", "I suggest a lecture on bees in the city and could recommend a speaker."),
        ("Poetry evening", "The poetry evening was wonderful. Please invite the same authors again."),
    ],
    "digital": [
        ("Audiobook stops", "The audiobook stops after one chapter in the app and starts again from the beginning."),
        ("E-book on a reader", "How do I transfer an e-book from the app to my reader? The file will not open."),
        ("E-books queue", "Why is there a queue for an e-book? A file can be copied without end."),
        ("App forgets my account", "Since the update the app forgets my account every day and asks me to sign in."),
        ("Newspapers online", "Which newspapers can I read online from home, and how far back do they go?"),
        ("Return an e-book early", "I finished an e-book. Can I return it early in the app so that the next reader gets it?"),
        ("Streaming films", "The film streaming service says my membership is not valid although I paid in January."),
        ("Larger letters", "Can the app show larger letters? I can hardly read the titles of audiobooks."),
        ("Courses online", "I started an online language course through your website; is my progress kept next year?"),
    ],
    "building": [
        ("Bicycle stands", "The bicycle stands in front of the entrance are always full. Could you add more?"),
        ("Lift broken", "The lift has been broken since Tuesday, and I cannot reach the second floor in a wheelchair."),
        ("Opening on Sunday", "Will the library open on Sunday in winter? Many people work on all other days."),
        ("Opening hours on the eve", "What are the opening hours on Christmas Eve and New Year's Eve?"),
        ("Entrance door heavy", "The entrance door is too heavy to open with a pram or a wheelchair."),
        ("Lost scarf", "I lost a green scarf near the entrance on Wednesday. Has anybody handed it in?"),
        ("Parking for families", "Is there parking for families near the entrance?"),
        ("Coffee machine", "The coffee machine beside the lift takes money and gives no coffee."),
        ("Toilets", "The toilets on the ground floor are often closed in the evening. Which others are open?"),
    ],
}


def words_of(text: str) -> list[str]:
    """The words of a text that say something, without the ending of a plural."""
    words = re.findall(r"[a-zà-ÿ]+", text.lower())
    singular = [word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in words]
    return [word for word in singular if word not in COMMON and len(word) > 1]


def vectors(documents: list[list[str]]) -> list[dict[str, float]]:
    """TF-IDF of each document, of length 1."""
    n_with = {}
    for document in documents:
        for word in set(document):
            n_with[word] = n_with.get(word, 0) + 1
    found = []
    for document in documents:
        weights = {}
        for word in document:
            weights[word] = weights.get(word, 0.0) + math.log((1 + len(documents)) / (1 + n_with[word])) + 1
        length = math.sqrt(math.fsum(value * value for value in weights.values()))
        found.append({word: value / length for word, value in weights.items()})
    return found


def leading(matrix: list[list[float]], n_wanted: int) -> list[tuple[float, list[float]]]:
    """The largest eigenvalues of a symmetric matrix with their vectors, by power iteration with deflation."""
    size = len(matrix)
    found = []
    for number in range(n_wanted):
        vector = [math.sin(1 + number + place) for place in range(size)]
        for _ in range(3000):
            for _, other in found:
                part = math.fsum(one * two for one, two in zip(vector, other))
                vector = [one - part * two for one, two in zip(vector, other)]
            vector = [math.fsum(one * two for one, two in zip(row, vector)) for row in matrix]
            length = math.sqrt(math.fsum(value * value for value in vector))
            vector = [value / length for value in vector]
        sign = 1 if max(vector, key=abs) > 0 else -1
        found.append((length, [sign * value for value in vector]))
    return found


def main() -> None:
    rows = [(subject, title, text) for subject, messages in MESSAGES.items() for title, text in messages]
    weights = vectors([words_of(f"{title} {title} {text}") for _, title, text in rows])
    product = lambda one, two: math.fsum(value * two.get(word, 0.0) for word, value in sorted(one.items()))
    pairs = leading([[product(one, two) for two in weights] for one in weights], N_DIMENSIONS)
    output = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_name("texts.csv"))
    with output.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["subject", "title", "text", *(f"e{place}" for place in range(N_DIMENSIONS))])
        for place, row in enumerate(rows):
            # Adding 0 turns -0 into 0.
            writer.writerow([*row, *(f"{round(math.sqrt(value) * vector[place], 4) + 0.0:.4f}" for value, vector in pairs)])


if __name__ == "__main__":
    main()
