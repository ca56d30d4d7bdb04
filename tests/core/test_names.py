"""The name matcher against published tables: names as recognisers spell them, and near misses.

``SAME`` and ``DIFFERENT`` were used to tune the matcher; ``NEW_SAME`` and ``NEW_DIFFERENT`` were not (two
pairs that led to a change were moved to the first table). A match that joins two persons is worse than one
that is missed, since a miss only costs another question: so no false match is allowed, and misses are listed
by name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offhook.names import best_match, match_names

# One person, spelled as heard.
SAME: list[tuple[str, str]] = [
    ("Selina Cortez", "Celina Cortez"),
    ("Selina Cortez", "Selena Cortes"),
    ("Selina Cortez", "Salina Cortez"),
    ("Selina Cortez", "Cortez, Selina"),
    ("Selina Cortez", "SELINA CORTEZ"),
    ("Sean O'Brien", "Sean O’Brien"),
    ("Sean O'Brien", "Shawn O'Brien"),
    ("Sean O'Brien", "Shaun OBrien"),
    ("Sean O'Brien", "Sean O Brien"),
    ("Siobhan O'Bryan", "Siobhan O'Brian"),
    ("John Smith", "Jon Smyth"),
    ("Steven Clark", "Stephen Clarke"),
    ("Catherine Allen", "Katherine Alan"),
    ("Kathryn Reed", "Catherine Reid"),
    ("Jose García", "Jose Garcia"),
    ("José Hernández", "Jose Hernandes"),
    ("Maria Gonzalez", "Maria Gonzales"),
    ("Luis Martinez", "Luis Martines"),
    ("Juan Lopez", "Juan Lopes"),
    ("Ahmed Hassan", "Ahmad Hasan"),
    ("Mohammed Khan", "Muhammad Khan"),
    ("Mohamed Ali", "Mohammed Ali"),
    ("Priya Singh", "Pria Singh"),
    ("Anil Kumar", "Aneel Kumar"),
    ("Lakshmi Iyer", "Laxmi Iyer"),
    ("Deepak Sharma", "Dipak Sharma"),
    ("Karen Nguyen", "Karin Nguyen"),
    ("Karen Nguyen", "Karen Nguyên"),
    ("Wei Zhang", "Wei Zang"),
    ("Lynn Chen", "Lin Chen"),
    ("Li Wang", "Lee Wang"),
    ("Anna Kowalski", "Anna Kowalsky"),
    ("Piotr Nowak", "Piotr Novak"),
    ("Olga Petrov", "Olga Petroff"),
    ("Ivan Ivanov", "Ivan Ivanoff"),
    ("Hans Schmidt", "Hans Schmitt"),
    ("Erik Hansen", "Eric Hanson"),
    ("Kristina Andersen", "Christina Anderson"),
    ("Karl Petersen", "Carl Peterson"),
    ("Sara Thompson", "Sarah Thomson"),
    ("Brian Moore", "Bryan Moor"),
    ("Jeffrey Miller", "Geoffrey Miller"),
    ("Phillip Hall", "Philip Hall"),
    ("Marc Philips", "Mark Phillips"),
    ("Aaron Baker", "Aron Baker"),
    ("Alan Turner", "Allen Turner"),
    ("Rebecca Stone", "Rebekah Stone"),
    ("Theresa Walsh", "Teresa Walsh"),
    ("Isabelle Dubois", "Isabel Dubois"),
    ("Rosa De La Cruz", "Rosa Delacruz"),
    ("Pieter van der Berg", "Pieter Vanderberg"),
    ("Fiona McDonald", "Fiona MacDonald"),
    ("Mary Ann Lee", "Maryann Lee"),
    ("Jean-Luc Picot", "Jean Luc Picot"),
    ("Chidi Okafor", "Chidi Okafur"),
    ("Amara Okonkwo", "Amara Okonkwo"),
    ("Yusuf Adebayo", "Yusef Adebayo"),
    ("Kwame Mensah", "Kwame Mensa"),
    ("Bruno Hadad", "Bruno Haddad"),
    ("Dr. Nadia Rahman", "Nadia Rahman"),
    ("Emily Tran", "Emilie Tran"),
    ("Hugh Grant", "Hugh Grant"),
    ("Lindsay Parker", "Lindsey Parker"),
    ("Vivian Cole", "Vivienne Cole"),
    ("Zoë Meyer", "Zoe Mayer"),
    ("Elena Popescu", "Alena Popescu"),
    ("Dmitri Sokolov", "Dmitry Sokolov"),
    ("Yuki Tanaka", "Yuki Tanaca"),
    ("Hiroshi Sato", "Hiroshi Satoh"),
    ("Min-jun Park", "Minjun Park"),
    ("Soo-jin Kim", "Soojin Kim"),
    ("Maria Garcia Lopez", "Maria Lopez"),
    ("Francesca Ricci", "Franchesca Ricci"),
    ("Giovanni Rossi", "Giovani Rossi"),
    ("Nicolas Leroy", "Nicholas Leroy"),
    ("Nancy Whitfield", "Nancy Whitefield"),
    ("Marisol Vega", "Marisol Vega."),
    ("Tobias Lindqvist", "Tobias Lindquist"),
    ("Ingrid Larsen", "Ingrid Larson"),
    ("Gwen Davies", "Gwen Davis"),
    ("Desmond Wright", "Desmond Right"),
    ("Niamh Kelly", "Neeve Kelly"),
    ("Mei-Ling Wu", "Meiling Woo"),
    ("Hector Ballesteros", "Hector Ballestras"),
]
# Two persons whose names are near each other.
DIFFERENT: list[tuple[str, str]] = [
    ("Karen Nguyen", "Carol Nguyen"),
    ("Maria Cortez", "Mario Cortez"),
    ("Juan Perez", "Joan Perez"),
    ("Selina Cortez", "Serena Cortez"),
    ("Selina Cortez", "Selina Carter"),
    ("Selina Cortez", "Selina"),
    ("John Smith", "Joan Smith"),
    ("John Smith", "James Smith"),
    ("Dan Brown", "Don Brown"),
    ("Paul Green", "Paula Green"),
    ("Daniel Ross", "Danielle Ross"),
    ("Michael Cole", "Michelle Cole"),
    ("Carlo Rossi", "Carla Rossi"),
    ("Eric Stone", "Erica Stone"),
    ("Patrick Hall", "Patricia Hall"),
    ("Ellen Park", "Helen Park"),
    ("Alan Park", "Ellen Park"),
    ("Erin Baker", "Aaron Baker"),
    ("Tina Lopez", "Dina Lopez"),
    ("Maria Hernandez", "Maria Fernandez"),
    ("Luis Martinez", "Luis Ramirez"),
    ("Ana Gomez", "Ana Gomes-Silva Torres"),
    ("Wei Chen", "Wei Chan"),
    ("Li Wang", "Li Wong"),
    ("Min Lee", "Min Leo"),
    ("Karen Win", "Karen Nguyen"),
    ("Robert Jones", "Bob Jones"),
    ("William Hart", "Bill Hart"),
    ("J Smith", "John Smith"),
    ("Anderson Lee", "Henderson Lee"),
    ("Tom Patterson", "Tom Peterson"),
    ("Mark Johnson", "Mark Johnston"),
    ("Amy Miller", "Amy Muller"),
    ("Ann Harris", "Ann Harrison"),
    ("Jack Robins", "Jack Robinson"),
    ("Priya Patel", "Riya Patel"),
    ("Anil Kumar", "Sunil Kumar"),
    ("Ahmed Hassan", "Hamed Hassan"),
    ("Ali Khan", "Ali Kane"),
    ("Olga Petrov", "Olga Pavlov"),
    ("Ivan Sokolov", "Ivan Smirnov"),
    ("Jose Garcia", "Josie Garcia"),
    ("Rosa Diaz", "Rosie Diaz"),
    ("Marie Dubois", "Marianne Dubois"),
    ("Mary Clark", "Mark Clark"),
    ("Kelly Moore", "Kerry Moore"),
    ("Tracy Bell", "Stacy Bell"),
    ("Bella King", "Ella King"),
    ("Gina Ford", "Tina Ford"),
    ("Larry Long", "Harry Long"),
    ("Jerry Fox", "Terry Fox"),
    ("Ben Wood", "Glen Wood"),
    ("Dean Gray", "Diane Gray"),
    ("Karl Webb", "Carly Webb"),
    ("Sean Murphy", "Sean Murray"),
    ("Fiona McDonald", "Fiona McDowell"),
    ("Kevin O'Brien", "Kevin O'Bannon"),
    ("Chidi Okafor", "Chidi Okoro"),
    ("Yuki Tanaka", "Yuki Tamura"),
    ("Hiroshi Sato", "Hiroshi Saito"),
    ("Nancy Whitfield", "Nancy Whitman"),
    ("Ingrid Larsen", "Astrid Larsen"),
    ("Tobias Lind", "Tobias Lund"),
    ("Victor Hugo", "Victoria Hugo"),
    ("Christian Bauer", "Christina Bauer"),
    ("Adrian Cole", "Adriana Cole"),
    ("Jean Martin", "Joan Martin"),
    ("Ray Kim", "Roy Kim"),
    ("Kay Lam", "Kai Lum"),
    ("Bruno Hadad", "Bruna Hadad"),
    ("Gabriel Luna", "Gabriela Luna"),
    ("Oliver Stone", "Olivia Stone"),
    ("Marcus Reed", "Mark Reed"),
    ("Emma West", "Emily West"),
    ("Nina Shah", "Mina Shah"),
    ("Barbara Hale", "Deborah Hale"),
    ("Cortez", "Selina Cortez"),
    ("Dylan Price", "Dillard Price"),
    ("Sandra Kim", "Sondra Kim"),
    ("Leon Black", "Lian Black"),
]
# One person; not tuned on.
NEW_SAME: list[tuple[str, str]] = [
    ("Marcela Quiroga", "Marsela Quiroga"),
    ("Ricardo Fuentes", "Ricardo Fuentez"),
    ("Annika Johansson", "Anika Johanson"),
    ("Colin McBride", "Collin MacBride"),
    ("Rachel Weiss", "Rachael Weis"),
    ("Gretchen Hoffman", "Gretchen Hofmann"),
    ("Terence Boyd", "Terrence Boyd"),
    ("Leila Farahani", "Layla Farahani"),
    ("Omar Siddiqui", "Omar Siddiqi"),
    ("Fatima Zahra", "Fatimah Zahra"),
    ("Ngozi Eze", "Ngozi Ezeh"),
    ("Kofi Boateng", "Kofi Boatang"),
    ("Rajesh Gupta", "Rajesh Goopta"),
    ("Sanjay Mehta", "Sanjay Meta"),
    ("Chloe Bennett", "Khloe Bennet"),
    ("Denise Leclair", "Denise LeClaire"),
    ("Mateo Alvarez", "Matteo Alvares"),
    ("Camila Ortiz", "Camilla Ortiz"),
    ("Esteban Ruiz", "Estevan Ruiz"),
    ("Irina Volkova", "Irena Volkova"),
    ("Tomasz Zielinski", "Tomas Zelinski"),
    ("Laszlo Nagy", "Laslo Nagy"),
    ("Hyun-woo Choi", "Hyunwoo Choi"),
    ("Keiko Yamamoto", "Kayko Yamamoto"),
    ("Tuan Pham", "Tuan Fam"),
    ("Declan Byrne", "Declan Burn"),
    ("Owen Lloyd", "Owen Loyd"),
    ("Joyce Whitaker", "Joyce Whittaker"),
    ("Bridget Sinclair", "Brigitte Sinclair"),
    ("Derek Stewart", "Derrick Stuart"),
]
# Two persons; not tuned on.
NEW_DIFFERENT: list[tuple[str, str]] = [
    ("Marcela Quiroga", "Marcelo Quiroga"),
    ("Ricardo Fuentes", "Eduardo Fuentes"),
    ("Annika Johansson", "Monika Johansson"),
    ("Colin McBride", "Corin McBride"),
    ("Rachel Weiss", "Rachel West"),
    ("Terence Boyd", "Clarence Boyd"),
    ("Leila Farahani", "Lena Farahani"),
    ("Omar Siddiqui", "Amar Siddiqui"),
    ("Kofi Boateng", "Kobi Boateng"),
    ("Rajesh Gupta", "Ramesh Gupta"),
    ("Sanjay Mehta", "Sanjana Mehta"),
    ("Chloe Bennett", "Zoe Bennett"),
    ("Denise Leclair", "Dennis Leclair"),
    ("Mateo Alvarez", "Mateo Suarez"),
    ("Camila Ortiz", "Camilo Ortiz"),
    ("Esteban Ruiz", "Esteban Reyes"),
    ("Irina Volkova", "Marina Volkova"),
    ("Laszlo Nagy", "Laszlo Nemeth"),
    ("Mei-Ling Wu", "Mei-Lan Wu"),
    ("Keiko Yamamoto", "Reiko Yamamoto"),
    ("Tuan Pham", "Tuan Phan"),
    ("Declan Byrne", "Dylan Byrne"),
    ("Niamh Kelly", "Neil Kelly"),
    ("Owen Lloyd", "Erwin Lloyd"),
    ("Joyce Whitaker", "Joy Whitaker"),
    ("Bridget Sinclair", "Brigham Sinclair"),
    ("Derek Stewart", "Dirk Stewart"),
    ("Laura Bell", "Lauren Bell"),
    ("Julia Marsh", "Julian Marsh"),
    ("Tim Lane", "Tom Lane"),
    ("Ron Diaz", "Rod Diaz"),
    ("Kate Lin", "Kat Lin"),
]
# What the matcher is known to miss: recall is 82 of 83 on the tuned table, 27 of 30 on the other.
MISSED = {
    ("Vivian Cole", "Vivienne Cole"),
    ("Declan Byrne", "Declan Burn"),
    ("Bridget Sinclair", "Brigitte Sinclair"),
    ("Derek Stewart", "Derrick Stuart"),
}


def test_tables_are_large_enough_to_mean_something() -> None:
    assert len(SAME) >= 60
    assert len(DIFFERENT) >= 60


@pytest.mark.parametrize(("one", "other"), [*SAME, *NEW_SAME])
def test_spellings_of_one_name_match_unless_listed_as_missed(one: str, other: str) -> None:
    match = match_names(one, other)
    assert match.same == ((one, other) not in MISSED), match
    assert match_names(other, one) == match


@pytest.mark.parametrize(("one", "other"), [*DIFFERENT, *NEW_DIFFERENT])
def test_different_persons_never_match(one: str, other: str) -> None:
    match = match_names(one, other)
    assert not match.same, match
    assert match.score < 0.8
    assert match.reason
    assert match_names(other, one).same is False


def test_precision_and_recall_as_published() -> None:
    tables = (SAME, DIFFERENT, 83), (NEW_SAME, NEW_DIFFERENT, 27)
    for same, different, hits in tables:
        assert sum(match_names(*pair).same for pair in same) == hits
        assert sum(match_names(*pair).same for pair in different) == 0


def test_equal_names_score_one_whatever_their_typography() -> None:
    for other in ("selina cortez", "CORTEZ, Selina", "Ms. Selina Cortez", "Sélina Cortez"):
        assert match_names("Selina Cortez", other).score == 1.0


def test_nothing_matches_an_empty_name() -> None:
    assert not match_names("", "Selina Cortez").same
    assert not match_names("", "").same


@given(st.text(max_size=30), st.text(max_size=30))
def test_matching_is_symmetric_and_bounded(one: str, other: str) -> None:
    match = match_names(one, other)
    assert 0.0 <= match.score <= 1.0
    assert (match.score, match.same) == (match_names(other, one).score, match_names(other, one).same)
    assert match.same == (match.score >= 0.8)


def test_best_match_finds_the_one_that_was_meant() -> None:
    on_file = ["Karen Nguyen", "Carol Nguyen", "Selina Cortez", "Serena Cortez"]
    index, match = best_match("Celina Cortes", on_file)
    assert index == 2
    assert match.same


def test_best_match_refuses_when_two_names_fit_or_none_does() -> None:
    assert best_match("Jon Smith", ["John Smyth", "Jon Smyth"])[0] is None
    index, match = best_match("Salina Cortez", ["Selina Cortez", "Celina Cortez"])
    assert index is None
    assert "both fit" in match.reason
    assert best_match("Amara Okonkwo", ["Selina Cortez"])[0] is None
    assert best_match("Amara Okonkwo", [])[0] is None


def test_best_match_takes_the_exact_spelling_over_one_that_sounds_alike() -> None:
    assert best_match("Jon Smith", ["John Smith", "Jon Smith"])[0] == 1


def test_best_match_takes_equal_entries_for_one() -> None:
    assert best_match("Celina Cortez", ["Selina Cortez", "Cortez, Selina"])[0] == 0
